import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { waitForWork } from './wait-for-work.ts'

const file = new URL('./wait-for-work.ts', import.meta.url).href

/** A thread that drops an object, waits, and then says whether the object is gone. */
const program = `
  const { workerData: { number, patience, work }, parentPort } = require('node:worker_threads')
  import('${file}').then(({ waitForWork }) => {
    const dropped = new WeakRef({ text: 'dropped' })
    setImmediate(async () => {
      if (work === 'during the collection') setTimeout(() => Atomics.store(number, 0, 1), 0)
      parentPort.postMessage('waits')
      await waitForWork(number, 0, patience)
      parentPort.postMessage(dropped.deref() === undefined)
    })
  })`

async function startThread(workerData: { number: Int32Array; patience: number; work: string }) {
  const worker = new Worker(program, { eval: true, workerData })
  onTestFinished(() => void worker.terminate())
  await once(worker, 'message')
  return async (): Promise<boolean> => (await once(worker, 'message'))[0]
}

const sharedNumber = () => new Int32Array(new SharedArrayBuffer(4))

it('collects the garbage of a thread without work, and returns when work arrives during the collection', async () => {
  const isCollected = await startThread({ number: sharedNumber(), patience: 10, work: 'during the collection' })
  expect(await isCollected()).toBe(true)
})

it('collects nothing while work comes', async () => {
  const number = sharedNumber()
  const isCollected = await startThread({ number, patience: 60_000, work: 'soon' })
  Atomics.store(number, 0, 1)
  Atomics.notify(number, 0)
  expect(await isCollected()).toBe(false)
})

it('returns at once if work came before', async () => {
  const before = performance.now()
  await waitForWork(sharedNumber().fill(1), 0)
  expect(performance.now() - before).toBeLessThan(5000)
})

it('lets a thread that loops on it work after rests, and end', async () => {
  const [number, ending] = [sharedNumber(), sharedNumber()]
  const loop = `
    import { parentPort, workerData } from 'node:worker_threads'
    import { waitForWork } from '${file}'
    const { number, ending } = workerData
    for (;;) {
      const seen = Atomics.load(number, 0)
      if (Atomics.load(ending, 0) === 1) break
      parentPort.postMessage('works')
      await waitForWork(number, seen, 1)
    }`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(loop)}`), {
    workerData: { number, ending },
  })
  onTestFinished(() => void worker.terminate())
  const wake = () => {
    Atomics.add(number, 0, 1)
    Atomics.notify(number, 0)
  }
  for (let rests = 0; rests < 3; rests++) {
    await once(worker, 'message')
    await new Promise((resolve) => setTimeout(resolve, 50))
    wake()
  }
  const ended = once(worker, 'exit')
  Atomics.store(ending, 0, 1)
  wake()
  expect(await ended).toEqual([0])
})

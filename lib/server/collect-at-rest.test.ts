import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { collectAtRest } from './collect-at-rest.ts'

/** Keeps the event loop busy with short tasks, as requests do. */
async function workFor(milliseconds: number) {
  const end = performance.now() + milliseconds
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve))
}

const until = (isTrue: () => boolean) => expect.poll(isTrue, { timeout: 10_000 }).toBe(true)

function watch(about: { window: number; rest: number; work: number }) {
  const times: number[] = []
  const stop = collectAtRest(about, async () => {
    times.push(performance.now())
  })
  onTestFinished(stop)
  return { collections: () => times.length, times }
}

it('collects twice when the process rests after work, and again after more work', async () => {
  const { collections, times } = watch({ window: 100, rest: 50, work: 400 })
  await workFor(700)
  expect(collections()).toBe(0)
  await until(() => collections() === 2)
  const [first = 0, second = 0] = times
  expect(second - first).toBeGreaterThan(50)
  // Less work than `work` earns no further collection, although it would with what is left of the load before.
  for (let one = 0; one < 8; one++) {
    await workFor(30)
    await sleep(100)
  }
  expect(collections()).toBe(2)
  await workFor(600)
  await until(() => collections() === 4)
})

it('collects nothing without enough work before', async () => {
  const { collections } = watch({ window: 20, rest: 20, work: 60_000 })
  await workFor(100)
  await sleep(200)
  expect(collections()).toBe(0)
})

import type { Worker } from 'node:worker_threads'
import { afterEach, expect, it } from 'vitest'
import { openEstimator } from './estimate-strength.ts'

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

function open(about = {}) {
  const estimator = openEstimator({ patience: 20_000, idle: 60_000, ...about })
  undo.push(estimator.close)
  return estimator.estimate
}

it('tells a weak password from a strong one, and knows the names', async () => {
  const estimate = open()
  expect(await estimate('p4ssw0rd2024', [])).toBeLessThan(2)
  expect(await estimate('the gate stands ajar', [])).toBe(4)
  expect(await estimate('我的密码是很长的一句话', [])).toBe(4)
  const [known, unknown] = [await estimate('Grevillea!', ['grevillea']), await estimate('Grevillea!', [])]
  expect(known).toBeLessThan(unknown ?? 0)
})

it.each(['', '\0', '\u{1F600}'.repeat(20), 'p4ssw0rd'.repeat(10_000), '4@8({[<369&#!1/|0$5+7%2'.repeat(100)])(
  'answers for the hostile text %#',
  async (password) => {
    expect(await open()(password, ['a'.repeat(200), ''])).toBeTypeOf('number')
  },
)

it('answers 200 at once, each its own', async () => {
  const estimate = open()
  const passwords = Array.from({ length: 200 }, (_, index) => (index % 2 ? 'the gate stands ajar' : 'aaaaaaaa'))
  const scores = await Promise.all(passwords.map((one) => estimate(one, [])))
  expect(scores).toEqual(passwords.map((one) => (one === 'aaaaaaaa' ? 0 : 4)))
})

it('gives up what takes too long, and answers the next one', async () => {
  const estimate = open({ patience: 1 })
  expect(await estimate('the gate stands ajar', [])).toBeUndefined()
  expect(await open()('the gate stands ajar', [])).toBe(4)
})

it('keeps its new thread when the old one ends', async () => {
  const opened: Worker[] = []
  const note = (thread: Worker) => void opened.push(thread)
  process.on('worker', note)
  undo.push(async () => void process.off('worker', note))
  const { estimate, close } = openEstimator({ patience: 20_000, idle: 60_000 })
  undo.push(close)
  await estimate('aaaaaaaa', [])
  const closed = close()
  await estimate('aaaaaaaa', [])
  await closed
  await estimate('aaaaaaaa', [])
  expect(opened).toHaveLength(2)
})

it('ends its thread when nobody asks, and opens another', async () => {
  const estimate = open({ idle: 0 })
  expect(await estimate('aaaaaaaa', [])).toBe(0)
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  expect(await estimate('aaaaaaaa', [])).toBe(0)
})

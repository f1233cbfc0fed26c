import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { endOfTurn, lastOfTurn } from './end-of-turn.ts'

it('resolves together for all that wait in one turn, after what was ready before', async () => {
  const order: string[] = []
  const wait = async (name: string) => {
    await endOfTurn()
    order.push(name)
  }
  const both = [wait('first'), wait('second')]
  queueMicrotask(() => order.push('a microtask'))
  process.nextTick(() => order.push('a tick'))
  await Promise.all(both)
  expect(order.slice(-2)).toEqual(['first', 'second'])
  expect(order).toHaveLength(4)
})

it('resolves for the others when one of them fails', async () => {
  const failing = endOfTurn().then(() => {
    throw new Error('a header that cannot be sent')
  })
  const others = [endOfTurn().then(() => 'sent'), endOfTurn().then(() => 'sent')]
  await expect(failing).rejects.toThrow('a header')
  expect(await Promise.all(others)).toEqual(['sent', 'sent'])
})

/** Counts the turns of the event loop that follow, until the test is over. */
async function countTurns() {
  await nextTurn()
  const count = { turns: 0 }
  let isOver = false
  const next = () => {
    count.turns += 1
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  onTestFinished(() => {
    isOver = true
  })
  return count
}

it('does the steps of all that wait one after the other, in one turn', async () => {
  const count = await countTurns()
  const steps: string[] = []
  const work = async (name: string) => {
    for (const step of ['handler', 'read', 'write', 'answer']) {
      await endOfTurn()
      // Some work goes on through more promises than other work does before it waits again.
      if (name === 'first') await Promise.resolve().then(() => undefined)
      steps.push(`${step} ${count.turns}`)
    }
  }
  await Promise.all(['first', 'second', 'third'].map(work))
  expect(steps).toEqual(['handler 1', 'read 1', 'write 1', 'answer 1'].flatMap((step) => [step, step, step]))
})

it('lets the event loop turn between many steps', async () => {
  const count = await countTurns()
  for (let step = 0; step < 160; step++) await endOfTurn()
  expect(count.turns).toBe(10)
})

it('goes on in the next turn when everything of this one is done', async () => {
  const count = await countTurns()
  await endOfTurn()
  expect(count.turns).toBe(1)
  await nextTurn()
  await endOfTurn()
  expect(count.turns).toBe(3)
})

it('commits once in a turn, for requests at different steps', async () => {
  const count = await countTurns()
  const steps: string[] = []
  const work = async (name: string, reads: number) => {
    for (let read = 0; read < reads; read++) await endOfTurn()
    for (const commit of ['first', 'second']) {
      await lastOfTurn()
      steps.push(`${commit} commit of ${name} ${count.turns}`)
      await endOfTurn()
      steps.push(`${name} goes on ${count.turns}`)
    }
  }
  await Promise.all([work('one', 0), work('two', 3)])
  const both = (step: string) => [step.replace('*', 'one'), step.replace('*', 'two')]
  expect(steps).toEqual(['first commit of * 1', '* goes on 1', 'second commit of * 2', '* goes on 2'].flatMap(both))
})

it('commits in a turn whose rounds are used up', async () => {
  const count = await countTurns()
  let isOver = false
  const readForever = async () => {
    while (!isOver) await endOfTurn()
  }
  const reading = readForever()
  await lastOfTurn()
  expect(count.turns).toBe(1)
  isOver = true
  await reading
})

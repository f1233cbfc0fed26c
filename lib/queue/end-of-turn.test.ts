import { expect, it } from 'vitest'
import { endOfTurn } from './end-of-turn.ts'

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

it('waits again in the next turn', async () => {
  await endOfTurn()
  let isOver = false
  const next = endOfTurn().then(() => {
    isOver = true
  })
  await Promise.resolve()
  expect(isOver).toBe(false)
  await next
})

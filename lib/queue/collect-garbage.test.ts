import { expect, it } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

it('frees unreferenced objects, and keeps the others', async () => {
  const held = { text: 'held' }
  const [dropped, kept] = [new WeakRef({ text: 'dropped' }), new WeakRef(held)]
  // A new WeakRef keeps its target alive until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve))
  await collectGarbage()
  expect([dropped.deref(), kept.deref()]).toEqual([undefined, held])
})

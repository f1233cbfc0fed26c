import type { KeyObject } from 'node:crypto'
import { workerData } from 'node:worker_threads'
import { claim, finish, type Ring, slots } from './signing-ring.ts'
import { signPair } from './token-pair.ts'

/** The start parameters of the signing thread. */
export type SetUp = { ring: Ring; key: KeyObject }

const { ring, key } = workerData as SetUp

for (;;) {
  const seen = Atomics.load(ring.posted, 0)
  for (let slot = 0; slot < slots; slot++) {
    const pair = claim(ring, slot)
    if (pair) finish(ring, slot, signPair(pair, key))
  }
  Atomics.wait(ring.posted, 0, seen)
}

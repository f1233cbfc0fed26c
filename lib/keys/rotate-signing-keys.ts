import { makeSigningKey } from './make-signing-key.ts'
import type { KeyNeeds } from './store.ts'

const day = 86_400_000
const inUse = 90 * day
const publishedAhead = 14 * day
/** Longer than the lifetime of any token. */
const keptAfterwards = 2 * day

/**
 * Makes the next signing key when it is due. It is published two weeks before it signs, and the previous key stays published
 * until every token it signed has expired (design §5). Of concurrent processes, one makes the generation.
 */
export async function rotateSigningKeys({ store, secrets, now }: KeyNeeds): Promise<'rotated' | 'not yet'> {
  const time = now()
  const newest = (await store.listKeys(time)).sort((a, b) => b.generation - a.generation)[0]
  if (!newest || newest.currentFrom.getTime() + inUse - publishedAhead > time.getTime()) return 'not yet'
  const currentFrom = new Date(time.getTime() + publishedAhead)
  const next = await makeSigningKey({ secrets, now }, newest.generation + 1, currentFrom)
  if (!(await store.insertKey(next))) return 'not yet'
  await store.retireBefore(next.generation, currentFrom, new Date(currentFrom.getTime() + keptAfterwards))
  return 'rotated'
}

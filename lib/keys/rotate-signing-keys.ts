import { makeSigningKey } from './make-signing-key.ts'
import type { KeyNeeds, StoredKey } from './store.ts'

const day = 86_400_000
const inUse = 90 * day
const publishedAhead = 14 * day
/** Longer than the lifetime of any token. */
const keptAfterwards = 2 * day

/**
 * Makes the next signing key when it is due. The key is published two weeks before it signs, and the previous key
 * stays published until every token that it signed has expired (design §5). If several processes rotate at once, only
 * one makes the key.
 */
export async function rotateSigningKeys(needs: KeyNeeds): Promise<'rotated' | 'not yet'> {
  const time = needs.now()
  const newest = await newestKey(needs)
  if (!newest || newest.currentFrom.getTime() + inUse - publishedAhead > time.getTime()) return 'not yet'
  return (await makeNextKey(needs, newest)) ? 'rotated' : 'not yet'
}

/** Makes the next signing key now, also with two weeks of notice; makes none while one is waiting. */
export async function rotateSigningKeysNow(needs: KeyNeeds): Promise<'rotated' | 'one is waiting' | 'none yet'> {
  const newest = await newestKey(needs)
  if (!newest) return 'none yet'
  if (newest.currentFrom > needs.now()) return 'one is waiting'
  return (await makeNextKey(needs, newest)) ? 'rotated' : 'one is waiting'
}

/**
 * The longest lifetime of a token (ID_TOKEN_SECONDS is at most a day), plus the seconds in which other nodes still
 * sign with the retired key.
 */
const longestToken = day + 300_000

/**
 * Stops publishing a retired key early, if every token that it signed has expired; otherwise returns the time from
 * which that is possible. Refuses a key that still signs.
 */
export async function retireSigningKey(
  { store, now }: Pick<KeyNeeds, 'store' | 'now'>,
  key: StoredKey,
): Promise<'retired' | 'no successor' | { from: Date }> {
  if (!key.retiredAt) return 'no successor'
  const from = new Date(key.retiredAt.getTime() + longestToken)
  if (from > now()) return { from }
  await store.endKey(key.kid, now())
  return 'retired'
}

const newestKey = async ({ store, now }: KeyNeeds) =>
  (await store.listKeys(now())).sort((a, b) => b.generation - a.generation)[0]

/** Returns false when another process made this generation first. */
async function makeNextKey({ store, secrets, now }: KeyNeeds, newest: StoredKey): Promise<boolean> {
  const time = now()
  const currentFrom = new Date(time.getTime() + publishedAhead)
  const next = await makeSigningKey({ secrets, now }, newest.generation + 1, currentFrom)
  if (!(await store.insertKey(next))) return false
  await store.retireBefore(next.generation, currentFrom, new Date(currentFrom.getTime() + keptAfterwards))
  return true
}

import { makeSigningKey } from './make-signing-key.ts'
import { type KeyNeeds, type SigningAlgorithm, type StoredKey, signingAlgorithms } from './store.ts'

const day = 86_400_000
const inUse = 90 * day
const publishedAhead = 14 * day
/** Longer than the lifetime of any token. */
const keptAfterwards = 2 * day

/**
 * Makes the next signing key of each algorithm when it is due. The key is published two weeks before it signs, and the
 * previous key stays published until every token that it signed has expired (design §5). If several processes rotate at
 * once, only one makes the key.
 */
export async function rotateSigningKeys(needs: KeyNeeds): Promise<'rotated' | 'not yet'> {
  const due = (newest: StoredKey) => newest.currentFrom.getTime() + inUse - publishedAhead <= needs.now().getTime()
  const made = await Promise.all(
    signingAlgorithms.map(async (algorithm) => {
      const newest = await newestKey(needs, algorithm)
      return newest !== undefined && due(newest) && (await makeNextKey(needs, newest))
    }),
  )
  return made.includes(true) ? 'rotated' : 'not yet'
}

/**
 * Makes the next key of each algorithm now, before it is due; this key too is published two weeks before it signs.
 * Skips an algorithm whose next key is already waiting.
 */
export async function rotateSigningKeysNow(needs: KeyNeeds): Promise<'rotated' | 'one is waiting' | 'none yet'> {
  const newest = await newestKeys(needs)
  if (newest.length === 0) return 'none yet'
  const made = await Promise.all(
    newest.map(async (key) => key.currentFrom <= needs.now() && (await makeNextKey(needs, key))),
  )
  return made.includes(true) ? 'rotated' : 'one is waiting'
}

/**
 * Replaces every key at once, because a private key may be known to others. The earlier keys are no longer published,
 * so that every token they signed is refused (design §5). Returns false if there is no key yet.
 */
export async function replaceLeakedKeys(needs: KeyNeeds): Promise<boolean> {
  const newest = await newestKeys(needs)
  for (const key of newest) await replaceFamily(needs, key)
  return newest.length > 0
}

async function replaceFamily(needs: KeyNeeds, newest: StoredKey): Promise<void> {
  const { store, secrets, now } = needs
  const { algorithm, generation } = newest
  const next = await makeSigningKey({ secrets, now }, { algorithm, generation: generation + 1 }, now())
  if (await store.insertKey(next)) return store.leakBefore(next, now())
  // Another process made this generation first. If it was a rotation, the leaked key still signs.
  const newer = await newestKey(needs, algorithm)
  if (!newer || newer.generation <= generation) throw new Error(`The ${algorithm} keys could not be replaced. Repeat.`)
  return replaceFamily(needs, newer)
}

/**
 * The longest lifetime of a token (ID_TOKEN_SECONDS is at most a day), plus the seconds in which other nodes still
 * sign with the retired key.
 */
const longestToken = day + 300_000

/** Returns when every token that a key signed has expired; undefined for a key that has no successor. */
export const retirableFrom = ({ retiredAt }: StoredKey): Date | undefined =>
  retiredAt && new Date(retiredAt.getTime() + longestToken)

/** Stops publishing a retired key early. The tokens that it signed must have expired (`retirableFrom`). */
export async function retireSigningKey({ store, now }: Reading, key: StoredKey): Promise<void> {
  const from = retirableFrom(key)
  if (!from || from > now()) throw new Error('The tokens that this key signed may still be valid.')
  await store.endKey(key.kid, now())
}

type Reading = Pick<KeyNeeds, 'store' | 'now'>

const newestKey = async ({ store, now }: Reading, algorithm: SigningAlgorithm): Promise<StoredKey | undefined> =>
  (await store.listKeys(now()))
    .filter((key) => key.algorithm === algorithm)
    .sort((a, b) => b.generation - a.generation)[0]

const newestKeys = async (needs: Reading): Promise<StoredKey[]> =>
  (await Promise.all(signingAlgorithms.map((algorithm) => newestKey(needs, algorithm)))).filter(
    (key) => key !== undefined,
  )

/** Returns false when another process made this generation first. */
async function makeNextKey({ store, secrets, now }: KeyNeeds, newest: StoredKey): Promise<boolean> {
  const time = now()
  const currentFrom = new Date(time.getTime() + publishedAhead)
  const { algorithm, generation } = newest
  const next = await makeSigningKey({ secrets, now }, { algorithm, generation: generation + 1 }, currentFrom)
  if (!(await store.insertKey(next))) return false
  await store.retireBefore(next, currentFrom, new Date(currentFrom.getTime() + keptAfterwards))
  return true
}

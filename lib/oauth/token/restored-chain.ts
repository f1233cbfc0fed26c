import { setImmediate as nextTurn } from 'node:timers/promises'
import { hmac, sha256 } from '#lib/crypto/hash'
import type { Secrets } from '#lib/oauth/context'
import type { RefreshFinding } from '#lib/oauth/store'
import { makeFairQueue } from '#lib/queue/fair-queue'

/** The most successors that are derived for one decision. A family that rotates every five minutes for 180 days has 51,840. */
const most = 65_536
const perTurn = 256

/**
 * One chain at a time, because a long one takes a quarter of a second of the event loop; the apps take turns. After four
 * seconds a request is answered with 503 and Retry-After, and its token stays valid.
 */
const inTurn = makeFairQueue({ atOnce: 1, waiting: 1000, patience: 4000 })

/**
 * Returns whether a refresh token that is neither current nor a retry is newer than its row, because a restore lost the
 * rotations between them (decision 0057). A successor is derived from its predecessor. So the token is an ancestor of
 * the row's token, and a replay, if its chain of successors reaches the row's token; the chain of a newer token never
 * does. `master` is the position of the master key that authenticated the token. Returns false if the chain is too long
 * to decide.
 */
export async function isAheadOfBackup(
  secrets: Secrets,
  { secret, master }: { secret: string; master: number },
  { authorization, currentHash, restored }: RefreshFinding,
): Promise<boolean> {
  if (!restored) return false
  const isOfRow = (one: string) => [currentHash, restored.previousHash].includes(sha256(one))
  if (isOfRow(secret)) return false
  const { clientId, salt } = authorization
  return inTurn(clientId, () => {
    // The previous master key comes last in `all`. It may have derived the first part of the chain, the current key the
    // rest.
    const keys = secrets.all('refresh-successor').slice(0, master + 1)
    return isApart({ keys, salt, secret, enough: restored.rotations ?? most }, isOfRow)
  })
}

type Chain = { keys: Uint8Array[]; salt: string; secret: string; enough: number }

/** Returns whether none of the next `enough` generations is of the row; false if there are too many to derive. */
async function isApart({ keys, salt, secret, enough }: Chain, isOfRow: (one: string) => boolean): Promise<boolean> {
  let generation = [secret]
  for (let derived = 0, age = 0; age < enough; age++) {
    const next: string[] = []
    for (const one of successors(keys, salt, generation)) {
      if (isOfRow(one)) return false
      next.push(one)
      derived++
      if (derived > most) return false
      if (derived % perTurn === 0) await nextTurn()
    }
    generation = next
  }
  return true
}

/**
 * Yields the next generation. The first secret of a generation is the one that only the oldest key has derived; every
 * other one already contains a successor by the current key, and so continues with that key.
 */
function* successors(keys: Uint8Array[], salt: string, generation: string[]): Generator<string> {
  const derive = (key: Uint8Array, secret: string) => hmac(key, salt, secret).toString('base64url')
  const [first = '', ...others] = generation
  const [current = new Uint8Array(), previous] = keys
  if (previous) yield derive(previous, first)
  yield derive(current, first)
  for (const secret of others) yield derive(current, secret)
}

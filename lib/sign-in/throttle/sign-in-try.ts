import { addressFrom } from '#lib/account/activity/activity'
import { knownBrowserOf } from '#lib/account/sessions/known-browser'
import type { Knowable } from '#lib/account/signed-in/session'
import { networkCounters, type OpenAttempt, openAttempt, unlimited } from '#lib/account/throttle/attempt'
import { expectPlaceForHash } from '#lib/crypto/argon2/derive'
import { sha256 } from '#lib/crypto/hash'
import { currentRequest } from '#lib/queue/current-request'
import type { Context } from '#lib/server/compose/context'
import { networkOf } from '#lib/text/network'

/** The kind of secret; failures are counted separately for each kind. */
export type Secret = 'password' | 'recovery-code'

/**
 * Counts one try at somebody's account before it is looked at. Where they are known, the browser has a count of its own and
 * what others do in the same network is nothing to it. Elsewhere each network of the client has a count, and the account
 * one that slows networks down and never closes: a network with few failures is heard whatever strangers elsewhere do.
 * `browser` is the hash of its id: the slips of the same browser are forgiven with its success.
 */
export async function beginTry(
  context: Context,
  request: Request,
  secret: Secret,
  { typed, person, browser }: { typed: string; person: Knowable | undefined; browser: string },
): Promise<OpenAttempt> {
  const known = await knownBrowserOf(context, request.headers.get('cookie'), person)
  const current = currentRequest()
  if (current && person && known !== undefined) current.knownAccount = person.personId
  // A flood that the queue would refuse anyway costs the database no count.
  expectPlaceForHash()
  return person && known !== undefined
    ? tryWhereKnown(context, `${knownKeys(secret, person.personId)}${known}`)
    : tryElsewhere(context, { address: addressFrom(request), account: accountKey(secret, typed), browser })
}

/** The key of an account for everybody who types this name; those of single networks begin with it. */
export const accountKey = (secret: Secret, typed: string) => `${secret}:account:${sha256(typed)}`

/** The beginning of the keys of the browsers in which a person is known. */
export const knownKeys = (secret: Secret, personId: string) => `${secret}:known:${personId}:`

async function tryWhereKnown(context: Context, key: string): Promise<OpenAttempt> {
  const attempt = openAttempt(context, `slips:${key}`)
  await attempt.take({ key, ...usual, free: freeForNetwork, forgives: true })
  return attempt
}

async function tryElsewhere(
  context: Context,
  { address, account, browser }: { address: string; account: string; browser: string },
): Promise<OpenAttempt> {
  const here = `${account}:here:${sha256(`${networkOf(address)} ${account}`)}`
  const attempt = openAttempt(context, `slips:${sha256(`${here} ${browser}`)}`)
  // Counts the networks first: a throttled network must not take another client's turn at the account.
  await attempt.take(...networkCounters('sign-in', address, { ...usual, free: freeForNetwork, forgives: true }))
  if (attempt.isBeyondFree()) {
    await attempt.take({ key: account, ...usual, free: freeForAccount, forgives: true })
    return attempt
  }
  await attempt.take({ key: account, ...usual, free: unlimited, forgives: true })
  if (attempt.pointsOf(account) > freeForAccount) await attempt.take({ key: here, ...usual, free: freeUnderAttack })
  return attempt
}

const usual = { longest: 60, window: 3600 }
const freeForNetwork = 10
/** For an account that many networks guess at: an owner who comes from a new network may slip twice. */
const freeUnderAttack = 3

/**
 * So many tries at one account within an hour come from many addresses: only then do networks that have failed often take
 * turns at the account, one a minute, and never with a passkey or where its owner has signed in before.
 */
const freeForAccount = 100

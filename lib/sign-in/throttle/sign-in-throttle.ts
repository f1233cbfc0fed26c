import { addressFrom } from '#lib/account/activity/activity'
import { knownBrowserOf } from '#lib/account/sessions/known-browser'
import type { Knowable } from '#lib/account/signed-in/session'
import { networkCounters, type OpenAttempt, openAttempt, unlimited } from '#lib/account/throttle/attempt'
import { expectPlaceForHash } from '#lib/crypto/argon2/derive'
import { sha256 } from '#lib/crypto/hash'
import { currentRequest } from '#lib/queue/current-request'
import type { SignInContext } from '#lib/sign-in/context'
import { networkOf } from '#lib/text/network'

/** The kind of secret; failures are counted separately for each kind. */
export type Secret = 'password' | 'recovery-code'

/**
 * Counts an attempt to sign in before its secret is checked. A browser that is known to the person has a count of its own,
 * which failures in other browsers do not fill. Elsewhere each network of the client has a count; the account's own count
 * slows down networks that fail often, but never blocks a network with few failures. `browser` is the hash of the
 * browser's id: a success takes back the failures of the same browser.
 */
export async function beginAttempt(
  context: SignInContext,
  request: Request,
  secret: Secret,
  { typed, person, browser }: { typed: string; person: Knowable | undefined; browser: string },
): Promise<OpenAttempt> {
  const known = await knownBrowserOf(context, request.headers.get('cookie'), person)
  const current = currentRequest()
  // A known browser of the account has places of its own in the queue for hashing.
  if (current && person && known !== undefined) current.knownAccount = person.personId
  // Checked before the count, so that attempts which the full queue refuses cost no database write.
  expectPlaceForHash()
  return person && known !== undefined
    ? inKnownBrowser(context, `${knownKeys(secret, person.personId)}${known}`)
    : elsewhere(context, { address: addressFrom(request), account: accountKey(secret, typed), browser })
}

/** Returns the key of an account for everyone who types this name; the keys of networks begin with it. */
export const accountKey = (secret: Secret, typed: string) => `${secret}:account:${sha256(typed)}`

/** Returns the prefix of the keys of the browsers that are known to a person. */
export const knownKeys = (secret: Secret, personId: string) => `${secret}:known:${personId}:`

async function inKnownBrowser(context: SignInContext, key: string): Promise<OpenAttempt> {
  const attempt = openAttempt(context, `failures:${key}`)
  await attempt.take({ key, ...usual, free: freeForNetwork, forgives: true })
  return attempt
}

async function elsewhere(
  context: SignInContext,
  { address, account, browser }: { address: string; account: string; browser: string },
): Promise<OpenAttempt> {
  const here = `${account}:here:${sha256(`${networkOf(address)} ${account}`)}`
  const attempt = openAttempt(context, `failures:${sha256(`${here} ${browser}`)}`)
  // Counts the networks first, so that an attempt from a throttled network does not use up an attempt at the account.
  await attempt.take(...networkCounters('sign-in', address, { ...usual, free: freeForNetwork, forgives: true }), {
    key: account,
    ...usual,
    free: unlimited,
    freeBeyond: freeForAccount,
    forgives: true,
  })
  if (!attempt.isBeyondFree() && attempt.pointsOf(account) > freeForAccount)
    await attempt.take({ key: here, ...usual, free: freeUnderAttack })
  return attempt
}

const usual = { longest: 60, window: 3600 }
const freeForNetwork = 10
/**
 * Free attempts from one network at an account under attack: an owner in a new network can fail twice before the right
 * password.
 */
const freeUnderAttack = 3

/**
 * More attempts at one account within an hour indicate a distributed attack. From then on, networks that failed often
 * take turns at the account, one a minute. Passkeys and known browsers never wait for them.
 */
const freeForAccount = 100

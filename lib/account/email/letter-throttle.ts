import { addressFrom } from '#lib/account/activity/activity'
import { foldUsername } from '#lib/account/person/login-name'
import { knownBrowserOf } from '#lib/account/sessions/known-browser'
import type { SignInStore } from '#lib/account/signed-in/session'
import { type AttemptStore, networkCounters, type OpenAttempt, openAttempt } from '#lib/account/throttle/attempt'
import { sha256 } from '#lib/crypto/hash'
import { browserOf } from '#lib/http/cookies'
import type { Site } from '#lib/http/site'
import { networkOf, networksOf } from '#lib/text/network'

type ThrottleContext = { attempts: AttemptStore; now(): Date }
/** Recovery also looks up whether the browser is known to the person. */
type RecoveryContext = Site & { attempts: AttemptStore; signIn: Pick<SignInStore, 'findCredentials' | 'knownVersion'> }

/**
 * Counts a letter that recovers an account before any work is done for it. Counts it for the name as typed, whether or not
 * an account has it, so that a wait reveals nothing. A browser that is known to the person has a count of its own, which
 * strangers cannot use up.
 */
export async function beginRecoveryLetter(
  context: RecoveryContext,
  request: Request,
  login: string,
): Promise<OpenAttempt> {
  const known = await knownKey(context, request, login)
  if (known !== undefined) return beginOwnLetter(context, known)
  return beginLetter(context, request, recoveryInbox(login))
}

/** Returns the part of a key that identifies the inbox of a username or address. */
export const recoveryInbox = (login: string) => `recovery:${sha256(foldUsername(login))}`

/** Counts a letter that proves an address which a person wants to bind. */
export const beginBindingLetter = (context: ThrottleContext, request: Request, address: string): Promise<OpenAttempt> =>
  beginLetter(context, request, `inbox:${sha256(address)}`)

/** Counts a letter to the bound address; only its owner can ask for it. */
export const beginConfirmationLetter = (context: ThrottleContext, personId: string): Promise<OpenAttempt> =>
  beginOwnLetter(context, `confirmation:${personId}`)

/** Counts a guess at the code of a recovery letter before the check: for a known browser, else for the client's networks. */
export async function beginRecoveryGuess(
  context: RecoveryContext,
  request: Request,
  login: string,
): Promise<OpenAttempt> {
  const known = await knownKey(context, request, login)
  const address = addressFrom(request)
  const { hash } = browserOf(context, request)
  const attempt = openAttempt(
    context,
    `failures:guess:${sha256(`${networkOf(address)} ${hash} ${foldUsername(login)}`)}`,
  )
  const guesses = { free: 30, longest: 60, window: hour, forgives: true }
  if (known === undefined) await attempt.take(...networkCounters('guesses', address, guesses))
  else await attempt.take({ key: `guesses:${known}`, ...guesses })
  return attempt
}

const hour = 3600
const week = 7 * 24 * hour

/**
 * Delays letters to an inbox with exponential backoff and never blocks them. Each network has a count of its own for
 * an inbox, so that strangers do not use up the letters of another network. Networks with up to three letters also
 * share one count, and networks with more share a stricter one. Counts last a week, so that a lasting flood of an
 * inbox slows down.
 */
async function beginLetter(context: ThrottleContext, request: Request, inbox: string): Promise<OpenAttempt> {
  const address = addressFrom(request)
  const attempt = openAttempt(context, `failures:${inbox}`)
  await attempt.take(...networkCounters('letters', address, { free: 60, first: 10, longest: 60, window: hour }))
  // Uses the widest network, since one customer may have a whole /48.
  const network = networksOf(address).at(-1)?.name ?? ''
  const share = {
    key: `letters:from:${inbox}:${sha256(`${network} ${inbox}`)}`,
    ...spaced,
    longest: 6 * hour,
    window: week,
  }
  await attempt.take(share)
  const kind = attempt.pointsOf(share.key) <= 3 ? { of: 'few', free: 30 } : { of: 'many', free: 10 }
  await attempt.take({
    key: `letters:${kind.of}:${inbox}`,
    free: kind.free,
    first: 600,
    longest: 6 * hour,
    window: week,
  })
  return attempt
}

async function beginOwnLetter(context: ThrottleContext, owner: string): Promise<OpenAttempt> {
  const attempt = openAttempt(context, `failures:letters:${owner}`)
  await attempt.take({ key: `letters:${owner}`, ...spaced, longest: hour, window: 24 * hour })
  return attempt
}

/** Waits of half a minute after the first letter, then twice as long each time. */
const spaced = { free: 1, first: 30 }

async function knownKey(context: RecoveryContext, request: Request, login: string): Promise<string | undefined> {
  const person = await context.signIn.findCredentials(foldUsername(login), context.now())
  const browser = await knownBrowserOf(context, request.headers.get('cookie'), person)
  return person && browser !== undefined ? `known:${person.personId}:${browser}` : undefined
}

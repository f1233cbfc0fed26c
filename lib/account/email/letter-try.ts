import { addressFrom } from '#lib/account/activity/activity'
import { knownBrowserOf } from '#lib/account/sessions/known-browser'
import { networkCounters, type OpenAttempt, openAttempt } from '#lib/account/throttle/attempt'
import { sha256 } from '#lib/crypto/hash'
import { browserOf } from '#lib/http/browser-id'
import type { Context } from '#lib/server/compose/context'
import { foldUsername } from '#lib/sign-in/password/check-password'
import { networkOf, networksOf } from '#lib/text/network'

/**
 * Counts a letter that recovers an account before anything is done for it. It is counted for the name as typed, whether
 * anybody has it or not, so that a wait tells nothing about accounts. A browser that is known to the person has letters of
 * its own, which no stranger can use up.
 */
export async function beginRecoveryLetter(context: Context, request: Request, login: string): Promise<OpenAttempt> {
  const known = await knownKey(context, request, login)
  if (known !== undefined) return beginOwnLetter(context, known)
  return beginLetter(context, request, `recovery:${sha256(foldUsername(login))}`)
}

/** The same for a letter that proves an address. */
export const beginBindingLetter = (context: Context, request: Request, address: string): Promise<OpenAttempt> =>
  beginLetter(context, request, `inbox:${sha256(address)}`)

/** The same for a letter to the person's own address: they alone can ask for it. */
export const beginConfirmationLetter = (context: Context, personId: string): Promise<OpenAttempt> =>
  beginOwnLetter(context, `confirmation:${personId}`)

/** Counts a guess at the code of a letter before it is looked at: for the browser where it is known, else for its networks. */
export async function beginRecoveryGuess(context: Context, request: Request, login: string): Promise<OpenAttempt> {
  const known = await knownKey(context, request, login)
  const address = addressFrom(request)
  const { hash } = browserOf(context, request)
  const attempt = openAttempt(context, `slips:guess:${sha256(`${networkOf(address)} ${hash} ${foldUsername(login)}`)}`)
  const guesses = { free: 30, longest: 60, window: hour, forgives: true }
  if (known === undefined) await attempt.take(...networkCounters('guesses', address, guesses))
  else await attempt.take({ key: `guesses:${known}`, ...guesses })
  return attempt
}

const hour = 3600
const week = 7 * 24 * hour

/**
 * Delays grow and nothing is ever stopped. Each network has letters of its own about an inbox: strangers in three networks
 * do not use up what a fourth may ask for. Once networks that asked often, or very many networks, have asked for an inbox,
 * all of their kind wait for one another. Counts last a week, so an inbox that is flooded day after day gets fewer letters.
 */
async function beginLetter(context: Context, request: Request, inbox: string): Promise<OpenAttempt> {
  const address = addressFrom(request)
  const attempt = openAttempt(context, `slips:${inbox}`)
  await attempt.take(...networkCounters('letters', address, { free: 60, first: 10, longest: 60, window: hour }))
  // A customer may have a whole /48: the widest network counts.
  const network = networksOf(address).at(-1)?.name ?? ''
  const share = { key: `letters:${sha256(`${network} ${inbox}`)}`, ...spaced, longest: 6 * hour, window: week }
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

async function beginOwnLetter(context: Context, owner: string): Promise<OpenAttempt> {
  const attempt = openAttempt(context, `slips:letters:${owner}`)
  await attempt.take({ key: `letters:${owner}`, ...spaced, longest: hour, window: 24 * hour })
  return attempt
}

/** After the first letter half a minute, then twice as long each time. */
const spaced = { free: 1, first: 30 }

async function knownKey(context: Context, request: Request, login: string): Promise<string | undefined> {
  const person = await context.signIn.findCredentials(foldUsername(login), context.now())
  const browser = await knownBrowserOf(context, request.headers.get('cookie'), person)
  return person && browser !== undefined ? `known:${person.personId}:${browser}` : undefined
}

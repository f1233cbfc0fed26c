import { addressFrom } from '#lib/account/activity/activity'
import { knownBrowserOf } from '#lib/account/sessions/known-browser'
import { type OpenAttempt, openAttempt } from '#lib/account/throttle/attempt'
import { sha256 } from '#lib/crypto/hash'
import { browserOf } from '#lib/http/cookies'
import type { SignInContext } from '#lib/sign-in/context'
import { networkOf } from '#lib/text/network'

/**
 * Counts an attempt at a second factor before its code is checked: five are free, then each wait is twice as long as
 * the one before. A browser that is known to the person has a count of its own. All others have a count for their
 * network and share one for the person, so that an attacker with the password gains nothing from new cookies or
 * networks.
 */
export async function beginFactorAttempt(
  context: SignInContext,
  request: Request,
  personId: string,
): Promise<OpenAttempt> {
  const knownVersion = await context.signIn.knownVersion(personId)
  const person = knownVersion === undefined ? undefined : { personId, knownVersion }
  const known = await knownBrowserOf(context, request.headers.get('cookie'), person)
  const place = known === undefined ? `here:${networkOf(addressFrom(request))}` : `known:${known}`
  const own = { key: `${factorKey(personId)}:${sha256(`${place} ${personId}`)}`, ...slow, free: 5, forgives: true }
  const ceiling = { key: factorKey(personId), ...slow, free: 20, forgives: true }
  const attempt = openAttempt(context, `failures:${sha256(`${own.key} ${browserOf(context, request).hash}`)}`)
  await attempt.take(...(known === undefined ? [own, ceiling] : [own]))
  return attempt
}

/** Returns the key of the count that all browsers share for a person; the keys of networks and browsers begin with it. */
export const factorKey = (personId: string) => `factor:person:${personId}`

/** These waits leave about a hundred attempts a day at a code of six digits. */
const slow = { longest: 900, window: 86_400 }

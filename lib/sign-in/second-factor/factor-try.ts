import { addressFrom } from '#lib/account/activity/activity'
import { knownBrowserOf } from '#lib/account/sessions/known-browser'
import { type OpenAttempt, openAttempt } from '#lib/account/throttle/attempt'
import { sha256 } from '#lib/crypto/hash'
import { browserOf } from '#lib/http/browser-id'
import type { Context } from '#lib/server/compose/context'
import { networkOf } from '#lib/text/network'

/**
 * Counts one try at somebody's second factor before it is looked at: five are free, then one at a time, each after a wait
 * twice as long. Browsers in which the person has signed in before count for themselves. Others count for their network,
 * and all of them together for the person: whoever has the password gains nothing by new cookies or new networks.
 */
export async function beginFactorTry(context: Context, request: Request, personId: string): Promise<OpenAttempt> {
  const cookies = request.headers.get('cookie')
  const knownVersion = await context.signIn.knownVersion(personId)
  const known = await knownBrowserOf(
    context,
    cookies,
    knownVersion === undefined ? undefined : { personId, knownVersion },
  )
  const place = known === undefined ? `here:${networkOf(addressFrom(request))}` : `known:${known}`
  const own = { key: `${factorKey(personId)}:${sha256(`${place} ${personId}`)}`, ...slow, free: 5, forgives: true }
  const ceiling = { key: factorKey(personId), ...slow, free: 20, forgives: true }
  const attempt = openAttempt(context, `slips:${sha256(`${own.key} ${browserOf(context, request).hash}`)}`)
  await attempt.take(...(known === undefined ? [own, ceiling] : [own]))
  return attempt
}

/** The key of a person for all who try; those of single networks and browsers begin with it. */
export const factorKey = (personId: string) => `factor:person:${personId}`

/** A code has six digits: in a day these waits leave about a hundred tries. */
const slow = { longest: 900, window: 86_400 }

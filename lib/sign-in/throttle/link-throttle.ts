import { addressFrom } from '#lib/account/activity/activity'
import { type AttemptStore, networkCounters, type OpenAttempt, openAttempt } from '#lib/account/throttle/attempt'
import { sha256 } from '#lib/crypto/hash'
import { browserOf } from '#lib/http/cookies'
import type { Site } from '#lib/http/site'
import { networkOf } from '#lib/text/network'

/** Counts the use of a link with a secret, for the client's networks, before the secret is looked up. */
export async function beginLink(context: Site & { attempts: AttemptStore }, request: Request): Promise<OpenAttempt> {
  const address = addressFrom(request)
  const { hash } = browserOf(context, request)
  const attempt = openAttempt(context, `failures:link:${sha256(`${networkOf(address)} ${hash}`)}`)
  await attempt.take(...networkCounters('links', address, { free: 30, longest: 60, window: 3600, forgives: true }))
  return attempt
}

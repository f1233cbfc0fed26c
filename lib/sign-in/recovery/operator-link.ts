import { addressFrom } from '#lib/account/activity/activity'
import { networkCounters, openAttempt } from '#lib/account/throttle/attempt'
import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { sha256 } from '#lib/crypto/hash'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { readDestination } from '#lib/flow/destination'
import { browserOf } from '#lib/http/browser-id'
import { goAndSay } from '#lib/http/flash'
import { pathWith } from '#lib/http/redirect'
import { networkOf } from '#lib/text/network'
import { askNewPassword, passwordMark } from './recovery-step.ts'

/** What the rest of a recovery needs. */
type Needs = Parameters<typeof askNewPassword>[0]

/** For how long a link of the operator works. */
export const operatorLinkMinutes = 60

const kind: TokenKind = { purpose: 'seal-operator-link', seconds: operatorLinkMinutes * 60, longest: 1024 }

/** Whose password may be set, the one it takes the place of, and whether the second factor goes with it. */
type Link = { personId: string; before: string; removesSecondFactor: boolean }
type Sealer = { secrets: DerivedKeys; accountUrl: string; now: Date }
type Linked = { personId: string; passwordHash: string | undefined; removesSecondFactor: boolean }

/**
 * Makes a link by which a person sets a new password, for the operator to hand over. It is bound to the password of this
 * moment, so that the first use voids it, and every other link made before.
 */
export async function makeOperatorLink(
  { secrets, accountUrl, now }: Sealer,
  { personId, passwordHash, removesSecondFactor }: Linked,
): Promise<{ url: string; expiresAt: Date }> {
  const link: Link = { personId, before: passwordMark(passwordHash), removesSecondFactor }
  const sealed = await sealToken({ secrets, now: () => now }, kind, 'bearer', link)
  const expiresAt = new Date(now.getTime() + operatorLinkMinutes * 60_000)
  return { url: `${accountUrl}${pathWith('/recover/link', { key: sealed })}`, expiresAt }
}

/** GET /recover/link: leads to the form for a new password. Nothing is spent: programs that fetch links do no harm. */
export async function answerOperatorLink(context: Needs, request: Request): Promise<Response> {
  const destination = await readDestination(context, request, { request: '', to: '/account' })
  if (destination instanceof Response) return destination
  const refuse = (problem: { code: string; wait?: number }) =>
    goAndSay(context, request, pathWith('/recover', { to: '/account' }), {
      form: 'recover',
      problems: [problem],
      kept: {},
    })
  const address = addressFrom(request)
  const { hash } = browserOf(context, request)
  const attempt = openAttempt(context, `slips:link:${sha256(`${networkOf(address)} ${hash}`)}`)
  await attempt.take(...networkCounters('links', address, { free: 30, longest: 60, window: 3600, forgives: true }))
  if (attempt.wait() > 0) return refuse({ code: 'slow_down', wait: attempt.wait() })
  const link = await openLink(context, new URL(request.url).searchParams.get('key') ?? '')
  if (!link) {
    await attempt.failed()
    return refuse({ code: 'link_over' })
  }
  await attempt.succeeded()
  const { personId, removesSecondFactor } = link
  return askNewPassword(context, request, destination, { personId, by: 'operator', removesSecondFactor })
}

/** A link that is ours, in time, and of the password that the person still has. */
async function openLink(context: Needs, sealed: string): Promise<Link | undefined> {
  const link = await openToken<Link>(context, kind, 'bearer', sealed)
  const person = link && (await context.recoveries.findRecovering(link.personId, context.now()))
  return person && passwordMark(person.passwordHash) === link.before ? link : undefined
}

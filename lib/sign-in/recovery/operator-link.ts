import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { readDestination } from '#lib/flow/destination'
import { goAndSay } from '#lib/http/flash'
import { pathWith } from '#lib/http/redirect'
import { passwordMark } from '#lib/sign-in/password/password-mark'
import { beginLink } from '#lib/sign-in/throttle/link-throttle'
import { askNewPassword, type RecoveryContext } from './recovery-step.ts'

/** Minutes for which an operator's link works. */
export const operatorLinkMinutes = 60

/** Bound to no browser: the operator makes it on the command line, and the person opens it in any browser. */
const kind: TokenKind = { purpose: 'seal-operator-link', seconds: operatorLinkMinutes * 60, longest: 1024 }

/**
 * The person who may set a password, the fingerprint of the present password, and whether the second factor is removed.
 */
type Link = { personId: string; before: string; removesSecondFactor: boolean }
type Sealer = { secrets: DerivedKeys; accountUrl: string; now: Date }
type Linked = { personId: string; passwordHash: string | undefined; removesSecondFactor: boolean }

/**
 * Makes a link with which a person sets a new password, for the operator to hand over. It is bound to the present password,
 * so that its first use voids it and every other link made before.
 */
export async function makeOperatorLink(
  { secrets, accountUrl, now }: Sealer,
  { personId, passwordHash, removesSecondFactor }: Linked,
): Promise<{ url: string; expiresAt: Date }> {
  const link: Link = { personId, before: passwordMark(passwordHash), removesSecondFactor }
  const sealed = sealToken({ secrets, now: () => now }, kind, 'bearer', link)
  const expiresAt = new Date(now.getTime() + operatorLinkMinutes * 60_000)
  return { url: `${accountUrl}${pathWith('/recover/link', { key: sealed })}`, expiresAt }
}

/**
 * GET /recover/link: leads to the form for a new password. Does not spend the link, because some programs prefetch
 * links.
 */
export async function answerOperatorLink(context: RecoveryContext, request: Request): Promise<Response> {
  const destination = await readDestination(context, request, { request: '', to: '/account' })
  if (destination instanceof Response) return destination
  const refuse = (problem: { code: string; wait?: number }) =>
    goAndSay(context, request, pathWith('/recover', { to: '/account' }), {
      form: 'recover',
      problems: [problem],
      kept: {},
    })
  const attempt = await beginLink(context, request)
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

/** Opens a link whose person still has the same password. */
async function openLink(context: RecoveryContext, sealed: string): Promise<Link | undefined> {
  const link = openToken<Link>(context, kind, 'bearer', sealed)
  const person = link && (await context.recoveries.findRecovering(link.personId, context.now()))
  return person && passwordMark(person.passwordHash) === link.before ? link : undefined
}

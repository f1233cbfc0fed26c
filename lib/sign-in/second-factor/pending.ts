import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { browserOf, sentBrowser } from '#lib/http/browser-id'
import { cookieName, readCookie, setCookie } from '#lib/http/cookies'
import type { Context } from '#lib/server/compose/context'
import { passwordMark } from '#lib/sign-in/recovery/recovery-step'
import type { PasswordReset, RecoveredBy } from '#lib/sign-in/recovery/store'

/** A new password that waits for the second factor. */
export type Reset = Pick<PasswordReset, 'hash' | 'signOut' | 'revoke' | 'removesSecondFactor'> & { by: RecoveredBy }

/** A sign-in between its two proofs: the password was right, or a recovery code was, and the second factor is still to come. */
export type Pending = { personId: string; password: string; reset?: Reset }

const kind: TokenKind = { purpose: 'seal-pending', seconds: 600, longest: 3900 }

/** Returns the Set-Cookie lines that remember the first proof in this browser. It is no session and grants nothing. */
export async function pendingCookies(
  context: Context,
  request: Request,
  proven: Omit<Pending, 'password'>,
): Promise<(string | undefined)[]> {
  const browser = browserOf(context, request)
  const pending: Pending = { ...proven, password: await markOf(context, proven.personId) }
  const sealed = await sealToken(context, kind, { browser: browser.hash }, pending)
  return [setCookie(context, 'pending', sealed, kind.seconds), browser.setCookie]
}

/** Returns the sign-in of this browser that waits for its second factor. */
export async function readPending(context: Context, cookies: string | null): Promise<Pending | undefined> {
  const sealed = readCookie(cookies, cookieName(context, 'pending')) ?? ''
  const pending = await openToken<Pending>(context, kind, { browser: sentBrowser(context, cookies) }, sealed)
  return pending && pending.password === (await markOf(context, pending.personId)) ? pending : undefined
}

/** A change of the password voids the first proof. */
const markOf = async ({ signUps }: Context, personId: string) => passwordMark(await signUps.findPassword(personId))

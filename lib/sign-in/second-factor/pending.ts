import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { type Destination, destinationFields } from '#lib/flow/destination'
import { browserOf, cookieName, readCookie, sentBrowser, setCookie } from '#lib/http/cookies'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Site } from '#lib/http/site'
import type { SaidOfBrowser } from '#lib/sign-in/establish-session'
import { passwordMark } from '#lib/sign-in/password/password-mark'
import type { PasswordReset, RecoveredBy } from '#lib/sign-in/recovery/store'
import type { SignUpStore } from '#lib/sign-in/sign-up/newcomer'

type PendingContext = Site & { signUps: Pick<SignUpStore, 'findPassword'> }

/** A new password that waits for the second factor. */
export type Reset = Pick<PasswordReset, 'hash' | 'signOut' | 'revoke' | 'removesSecondFactor'> & { by: RecoveredBy }

/** A sign-in between its two proofs: the password or the recovery is proven, the second factor is still to come. */
export type Pending = { personId: string; password: string; said?: SaidOfBrowser; reset?: Reset }

type FirstProof = Omit<Pending, 'password'>

const kind: TokenKind = { purpose: 'seal-pending', seconds: 600, longest: 3900 }

/** Asks for the code of the authenticator app before a session begins, or before a new password is stored. */
export const askSecondFactor = async (
  context: PendingContext,
  request: Request,
  destination: Destination,
  proof: FirstProof,
): Promise<Response> =>
  goTo(pathWith('/two-factor', destinationFields(destination)), await pendingCookies(context, request, proof))

/** Returns the Set-Cookie lines that remember the first proof in this browser. They are no session and grant nothing. */
export async function pendingCookies(
  context: PendingContext,
  request: Request,
  proof: FirstProof,
): Promise<(string | undefined)[]> {
  const browser = browserOf(context, request)
  const pending: Pending = { ...proof, password: await currentMark(context, proof.personId) }
  const sealed = sealToken(context, kind, { browser: browser.hash }, pending)
  return [setCookie(context, 'pending', sealed, kind.seconds), browser.setCookie]
}

/** Returns the sign-in of this browser that waits for its second factor. */
export async function readPending(context: PendingContext, cookies: string | null): Promise<Pending | undefined> {
  const sealed = readCookie(cookies, cookieName(context, 'pending')) ?? ''
  const pending = openToken<Pending>(context, kind, { browser: sentBrowser(context, cookies) }, sealed)
  // A change of the password voids the first proof.
  return pending && pending.password === (await currentMark(context, pending.personId)) ? pending : undefined
}

const currentMark = async ({ signUps }: PendingContext, personId: string) =>
  passwordMark(await signUps.findPassword(personId))

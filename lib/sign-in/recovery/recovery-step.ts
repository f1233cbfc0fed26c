import { sha256 } from '#lib/crypto/hash'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { carry, type Destination } from '#lib/flow/destination'
import { browserOf, sentBrowser } from '#lib/http/browser-id'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Context } from '#lib/server/compose/context'
import type { RecoveredBy } from './store.ts'

/** The step that a recovery has reached: waiting for the code, choosing a password, or reviewing the account. */
export type RecoveryStep =
  | { stage: 'letter'; login: string }
  | ({ stage: 'password'; before: string } & Proof)
  | { stage: 'review'; personId: string; by: RecoveredBy; secondFactor: boolean; signedOut: boolean; at: number }

/** Whose account it is and what proved it; an operator may remove the second factor with it. */
type Proof = { personId: string; by: RecoveredBy; removesSecondFactor?: boolean }

type Stage = RecoveryStep['stage']

const kindOf = (stage: Stage): TokenKind => ({
  purpose: 'seal-recovery',
  seconds: stage === 'letter' ? 3600 : 600,
  longest: 4096,
})

/** Seals a step into a URL parameter for this browser. Known and unknown names give tokens of the same length. */
export async function sealStep(context: Context, request: Request, step: RecoveryStep) {
  const browser = browserOf(context, request)
  const sealed = await sealToken(context, kindOf(step.stage), { browser: browser.hash }, step)
  return { sealed, setCookie: browser.setCookie }
}

/** Opens a step of this stage and this browser. */
export async function openStep<Wanted extends Stage>(
  context: Context,
  cookies: string | null,
  sealed: string,
  stage: Wanted,
): Promise<Extract<RecoveryStep, { stage: Wanted }> | undefined> {
  const browser = sentBrowser(context, cookies)
  const step = await openToken<RecoveryStep>(context, kindOf(stage), { browser }, sealed)
  return step?.stage === stage ? (step as Extract<RecoveryStep, { stage: Wanted }>) : undefined
}

/** Leads a person who has proved that the account is theirs to the new password. */
export async function askNewPassword(
  context: Context,
  request: Request,
  destination: Destination,
  proof: Proof,
): Promise<Response> {
  const person = await context.recoveries.findRecovering(proof.personId, context.now())
  const before = passwordMark(person?.passwordHash)
  const { sealed, setCookie } = await sealStep(context, request, { stage: 'password', before, ...proof })
  return goTo(pathWith('/recover/password', { step: sealed, ...carry(destination) }), [setCookie])
}

/** Returns a fingerprint of the password, which voids what was sealed before a change of it. */
export const passwordMark = (passwordHash: string | undefined): string => sha256(`before ${passwordHash ?? ''}`)

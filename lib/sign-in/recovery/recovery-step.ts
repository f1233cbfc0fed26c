import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { type Destination, destinationFields } from '#lib/flow/destination'
import { browserOf, sentBrowser } from '#lib/http/cookies'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Site } from '#lib/http/site'
import type { SignInContext } from '#lib/sign-in/context'
import { passwordMark } from '#lib/sign-in/password/password-mark'
import type { RecoveredBy, RecoveryStore } from './store.ts'

/** The parts that every handler of a recovery needs. */
export type RecoveryContext = SignInContext & { recoveries: RecoveryStore }

/** The step that a recovery has reached: waiting for the code, choosing a password, or reviewing the account. */
export type RecoveryStep =
  | { stage: 'letter'; login: string }
  | ({ stage: 'password'; before: string } & RecoveryProof)
  | { stage: 'review'; personId: string; by: RecoveredBy; secondFactor: boolean; signedOut: boolean; at: number }

/** The person and the kind of proof; a link of the operator may also remove the second factor. */
export type RecoveryProof = { personId: string; by: RecoveredBy; removesSecondFactor?: boolean }

type Stage = RecoveryStep['stage']

const kindOf = (stage: Stage): TokenKind => ({
  purpose: 'seal-recovery',
  seconds: stage === 'letter' ? 3600 : 600,
  longest: 4096,
})

/** Seals a step into a URL parameter for this browser. Known and unknown names give tokens of the same length. */
export async function sealStep(site: Site, request: Request, step: RecoveryStep) {
  const browser = browserOf(site, request)
  const sealed = sealToken(site, kindOf(step.stage), { browser: browser.hash }, step)
  return { sealed, setCookie: browser.setCookie }
}

/** Opens a step of this stage and this browser. */
export async function openStep<Wanted extends Stage>(
  site: Site,
  cookies: string | null,
  sealed: string,
  stage: Wanted,
): Promise<Extract<RecoveryStep, { stage: Wanted }> | undefined> {
  const browser = sentBrowser(site, cookies)
  const step = openToken<RecoveryStep>(site, kindOf(stage), { browser }, sealed)
  return step?.stage === stage ? (step as Extract<RecoveryStep, { stage: Wanted }>) : undefined
}

/** Redirects to the form for a new password, after the person has proved ownership of the account. */
export async function askNewPassword(
  context: RecoveryContext,
  request: Request,
  destination: Destination,
  proof: RecoveryProof,
): Promise<Response> {
  const person = await context.recoveries.findRecovering(proof.personId, context.now())
  const before = passwordMark(person?.passwordHash)
  const { sealed, setCookie } = await sealStep(context, request, { stage: 'password', before, ...proof })
  return goTo(pathWith('/recover/password', { step: sealed, ...destinationFields(destination) }), [setCookie])
}

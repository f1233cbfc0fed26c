import { notifyFactorChange } from '#lib/account/notify-owner'
import type { SeenSession } from '#lib/account/sessions/store'
import { type Current, currentSession } from '#lib/account/signed-in/session'
import { receiveForm } from '#lib/http/form'
import { goTo, localPath, pathWith } from '#lib/http/redirect'
import { isOverloaded } from '#lib/queue/fair-queue'
import { hashRecoveryCodes, makeRecoveryCodes } from '#lib/sign-in/recovery-codes/recovery-code'
import { showCodes } from '#lib/sign-in/recovery-codes/shown-codes'
import { openStep, type RecoveryContext, type RecoveryStep, sealStep } from './recovery-step.ts'
import { type Leftover, leftoversOf } from './store.ts'

type ReviewStep = Extract<RecoveryStep, { stage: 'review' }>

/** The review after a recovery: ended sessions, credentials that still work, and the age of the proof. */
export type Review = {
  current: Current
  step: ReviewStep
  since: Date
  leftovers: Leftover[]
  signedOut: SeenSession[]
}

/**
 * Redirects to the review of a recovery, and from there to the location of `answer`. Returns `answer` when there is
 * nothing to review.
 */
export async function goToReview(
  context: RecoveryContext,
  request: Request,
  answer: Response,
  step: Omit<ReviewStep, 'stage'>,
): Promise<Response> {
  const cookies = answer.headers.getSetCookie()
  const location = answer.headers.get('location') ?? '/account'
  const { leftovers, signedOut } = await listFor(context, { stage: 'review', ...step })
  if (leftovers.length === 0 && signedOut.length === 0) return answer
  const { sealed, setCookie } = await sealStep(context, request, { stage: 'review', ...step })
  return goTo(pathWith('/recover/review', { step: sealed, to: location }), [...cookies, setCookie])
}

/** Opens a review in the browser that recovered the account; undefined unless the same person is signed in. */
export async function readReview(
  context: RecoveryContext,
  cookies: string | null,
  sealed: string,
): Promise<Review | undefined> {
  const [step, current] = await Promise.all([
    openStep(context, cookies, sealed, 'review'),
    currentSession(context, cookies),
  ])
  if (!step || current?.person.id !== step.personId) return undefined
  return { current, step, ...(await listFor(context, step)) }
}

async function listFor(context: RecoveryContext, step: ReviewStep) {
  const { personId, by, secondFactor } = step
  const at = new Date(step.at)
  const [ways, since, signedOut] = await Promise.all([
    context.factors.ways(personId),
    // An operator's link proves the owner at the time of the recovery, so no credential is newer than the proof.
    by === 'operator' ? at : context.recoveries.provenBefore(personId, by, at),
    step.signedOut ? context.recoveries.endedAt(personId, at) : [],
  ])
  return { leftovers: leftoversOf(ways, { by, since, secondFactor }), since, signedOut }
}

/** POST /recover/review/submit: removes the ticked credentials that may be removed, then continues. */
export async function answerRecoverReview(context: RecoveryContext, request: Request): Promise<Response> {
  const form = await receiveForm(context, request, 'token')
  if (form instanceof Response) return form
  const onward = goTo(localPath(form.get('to')))
  const review = await readReview(context, request.headers.get('cookie'), form.get('step'))
  if (!review) return onward
  const change = { context, request, person: review.current.person }
  const ticked = new Set(form.all('remove').slice(0, 100))
  for (const leftover of review.leftovers) {
    if (leftover.kind !== 'codes' && ticked.has(leftoverValue(leftover))) await remove(change, leftover)
  }
  if (!ticked.has('codes')) return onward
  const { personId, at } = review.step
  const isAsked = review.leftovers.some(({ kind, since }) => kind === 'codes' && since.getTime() <= at)
  // Makes codes once for each recovery, because ten hashes are expensive. Does not use the limit of the codes page,
  // which an intruder may have reached.
  const once = `review:${personId}:${at}`
  const isFirst = isAsked && (await context.attempts.count(once, { points: 1, seconds: 3600 })) === 0
  if (!isFirst) return onward
  const codes = await renewCodes(change).catch(async (fault: unknown) => {
    // When the queue for hashing was full, the person can send the form again.
    if (isOverloaded(fault)) await context.attempts.remove(once)
    throw fault
  })
  return showCodes(context, onward, codes, personId)
}

type Change = { context: RecoveryContext; request: Request; person: Current['person'] }

async function remove(change: Change, leftover: Exclude<Leftover, { kind: 'codes' }>): Promise<void> {
  const { factors, now } = change.context
  if (leftover.kind === 'totp') {
    if (await factors.removeTotp(change.person.id, now())) await notifyFactorChange(change, 'totp_off')
    return
  }
  const outcome = await factors.removePasskey(change.person.id, leftover.id, now())
  if (outcome === 'removed') await notifyFactorChange(change, 'passkey_removed', { name: leftover.name })
}

/** Makes codes that replace the previous ones. */
async function renewCodes(change: Change): Promise<string[]> {
  const { factors, random, now } = change.context
  const codes = makeRecoveryCodes(random)
  await factors.replaceRecoveryCodes(change.person.id, await hashRecoveryCodes(codes), now())
  await notifyFactorChange(change, 'recovery_codes_made')
  return codes
}

/** Returns the value of a credential's checkbox in the form. */
export const leftoverValue = (leftover: Leftover): string =>
  leftover.kind === 'passkey' ? `passkey:${leftover.id}` : leftover.kind

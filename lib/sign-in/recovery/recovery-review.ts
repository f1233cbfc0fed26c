import { notifyFactorChange } from '#lib/account/notify-owner'
import type { SeenSession } from '#lib/account/sessions/store'
import { type Current, currentSession } from '#lib/account/signed-in/session'
import { isFromOurPages } from '#lib/http/csrf'
import { readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { goTo, localPath, pathWith } from '#lib/http/redirect'
import { isOverloaded } from '#lib/queue/fair-queue'
import type { Context } from '#lib/server/compose/context'
import { hashRecoveryCodes, makeRecoveryCodes } from '#lib/sign-in/recovery-codes/recovery-code'
import { showCodes } from '#lib/sign-in/recovery-codes/shown-codes'
import { openStep, type RecoveryStep, sealStep } from './recovery-step.ts'
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

/** Leads to the question what may stay, and from there to where the answer would have led. */
export async function goToReview(
  context: Context,
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

/** Reads a review for the person who is signed in, in the browser that recovered the account. */
export async function readReview(
  context: Context,
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

async function listFor(context: Context, step: ReviewStep) {
  const { personId, by, secondFactor } = step
  const at = new Date(step.at)
  const [ways, since, signedOut] = await Promise.all([
    context.factors.ways(personId),
    // A link of the operator proves nothing of the past: no credential counts as added since.
    by === 'operator' ? at : context.recoveries.provenBefore(personId, by, at),
    step.signedOut ? context.recoveries.endedAt(personId, at) : [],
  ])
  return { leftovers: leftoversOf(ways, { by, since, secondFactor }), since, signedOut }
}

/** POST /recover/review/submit: removes the ticked credentials that may be removed, then continues. */
export async function answerRecoverReview(context: Context, request: Request): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(request, context.config.accountUrl))
    return showProblem(context, { kind: 'not_from_here' })
  const onward = goTo(localPath(form.get('to')))
  const review = await readReview(context, request.headers.get('cookie'), form.get('step'))
  if (!review) return onward
  const act = { context, request, person: review.current.person }
  const ticked = new Set(form.all('remove').slice(0, 100))
  for (const leftover of review.leftovers) {
    if (leftover.kind !== 'codes' && ticked.has(markOf(leftover))) await remove(act, leftover)
  }
  if (!ticked.has('codes')) return onward
  const { personId, at } = review.step
  const isAsked = review.leftovers.some(({ kind, since }) => kind === 'codes' && since.getTime() <= at)
  // Once for each recovery: ten hashes are much work, and the limit of the codes page may be used up by a stranger.
  const once = `review:${personId}:${at}`
  const isFirst = isAsked && (await context.attempts.count(once, { points: 1, seconds: 3600 })) === 0
  if (!isFirst) return onward
  const codes = await renewCodes(act).catch(async (fault: unknown) => {
    // The browser sends the form again when the queue for hashing was full.
    if (isOverloaded(fault)) await context.attempts.remove(once)
    throw fault
  })
  return showCodes(context, onward, codes, personId)
}

type Acting = { context: Context; request: Request; person: Current['person'] }

async function remove(act: Acting, leftover: Exclude<Leftover, { kind: 'codes' }>): Promise<void> {
  const { factors } = act.context
  if (leftover.kind === 'totp') {
    if (await factors.removeTotp(act.person.id)) await notifyFactorChange(act, 'totp_off')
    return
  }
  const outcome = await factors.removePasskey(act.person.id, leftover.id)
  if (outcome === 'removed') await notifyFactorChange(act, 'passkey_removed', { name: leftover.name })
}

/** New codes in place of those before. */
async function renewCodes(act: Acting): Promise<string[]> {
  const { factors, random, now } = act.context
  const codes = makeRecoveryCodes(random)
  await factors.replaceRecoveryCodes(act.person.id, await hashRecoveryCodes(codes), now())
  await notifyFactorChange(act, 'recovery_codes_made')
  return codes
}

/** The value of a leftover's box in the form. */
export const markOf = (leftover: Leftover): string =>
  leftover.kind === 'passkey' ? `passkey:${leftover.id}` : leftover.kind

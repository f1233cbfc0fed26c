import { originOf } from '#lib/account/activity/activity'
import { describeEvent } from '#lib/account/activity/describe-event'
import { notifyFactorChange } from '#lib/account/notify-owner'
import { hashPassword } from '#lib/crypto/password-hash'
import type { Destination } from '#lib/flow/destination'
import { browserOf } from '#lib/http/cookies'
import type { HashLimits } from '#lib/sign-in/context'
import { establishSession, recovered } from '#lib/sign-in/establish-session'
import type { IsLeaked } from '#lib/sign-in/password/leaked-passwords'
import { passwordMark } from '#lib/sign-in/password/password-mark'
import { passwordProblem } from '#lib/sign-in/password/password-problem'
import { askSecondFactor, type Reset } from '#lib/sign-in/second-factor/pending'
import { answerRecoveryForm } from './recovery-form.ts'
import { goToReview } from './recovery-review.ts'
import { openStep, type RecoveryContext } from './recovery-step.ts'
import type { Recovering } from './store.ts'

/** POST /recover/finish: the new password; asks for the second factor first if the account has one. */
export const answerRecoverFinish = (
  context: RecoveryContext & { hashLimits: Pick<HashLimits, 'recoveries'>; isLeaked: IsLeaked },
  request: Request,
): Promise<Response> =>
  answerRecoveryForm(context, request, async ({ form, destination, askAgain }) => {
    const step = await openStep(context, request.headers.get('cookie'), form.get('step'), 'password')
    const person = step && (await context.recoveries.findRecovering(step.personId, context.now()))
    if (!person || passwordMark(person.passwordHash) !== step.before) return askAgain('/recover', { code: 'expired' })
    const password = form.get('password')
    const problem = passwordProblem(password, person.username, context.config.serviceName)
    if (problem)
      return askAgain('/recover/password', { field: 'password', code: `password_${problem}` }, {}, form.get('step'))
    const { personId } = person
    const { hash: browser } = browserOf(context, request)
    const wait = await context.hashLimits.recoveries.fail(`${personId} ${browser}`)
    if (wait > 0) return askAgain('/recover/password', { code: 'slow_down', wait }, {}, form.get('step'))
    if (await context.isLeaked(password))
      return askAgain('/recover/password', { field: 'password', code: 'password_leaked' }, {}, form.get('step'))
    const [signOut, revoke] = [form.get('browsers') === 'end', form.get('apps') === 'end']
    const { by, removesSecondFactor = false } = step
    const reset = { hash: await hashPassword(password), signOut, revoke, by, removesSecondFactor }
    // A proof is one factor: nothing changes before the second factor is proven, unless the operator removes it.
    if (!removesSecondFactor && (await context.factors.hasTotp(personId)))
      return askSecondFactor(context, request, destination, { personId, reset })
    const answer = await resetPassword(context, request, destination, { person, reset, secondFactor: false })
    return answer ?? askAgain('/recover', { code: 'expired' })
  })

type Proven = { person: Recovering; reset: Reset; secondFactor: boolean }

/**
 * Stores the new password, writes a letter about it, begins a session and leads to the review of the account. Returns
 * undefined when the password was changed, or a second factor was turned on, since the proof.
 */
export async function resetPassword(
  context: RecoveryContext,
  request: Request,
  destination: Destination,
  { person, reset: { hash, ...reset }, secondFactor }: Proven,
): Promise<Response | undefined> {
  const { personId, username, locale, email: to, passwordHash: before } = person
  const [now, { by, signOut }] = [context.now(), reset]
  const ended = await context.recoveries.resetPassword({ personId, before, hash, now, secondFactor, ...reset })
  if (!ended) return undefined
  if (ended.secondFactor)
    await notifyFactorChange({ context, request, person: { ...person, id: personId } }, 'second_factor_removed')
  const detail = { by, count: String(ended.sessions), apps: String(ended.apps) }
  await context.activity.record(personId, { at: now, kind: 'recovered', detail, ...originOf(request) })
  void context.letters.recovered({ to, username, locale, ...reset, ...describeEvent(context, request) })
  const answer = await establishSession(context, request, destination, { personId, amr: recovered })
  return goToReview(context, request, answer, { personId, by, secondFactor, signedOut: signOut, at: now.getTime() })
}

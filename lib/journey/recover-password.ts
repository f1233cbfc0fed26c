import { addressFrom, originOf } from '#lib/account/activity'
import { hashPassword } from '#lib/account/password'
import type { Recovering } from '#lib/account/recovery'
import { passwordProblem } from '#lib/account/sign-up'
import type { Context } from '#lib/context'
import { establishSession, recovered } from './establish-session.ts'
import { happening } from './letter-facts.ts'
import type { Reset } from './pending.ts'
import { answerRecovery } from './recover.ts'
import { openTrip, passwordMark } from './recovery-trip.ts'
import { askSecondFactor } from './second-factor.ts'

/** POST /recover/finish: the new password; every other session ends, the person is told, and is signed in here. */
export const answerRecoverFinish = (context: Context, request: Request): Promise<Response> =>
  answerRecovery(context, request, async ({ form, destination, again }) => {
    const trip = await openTrip(context, request.headers.get('cookie'), form.get('trip'), 'password')
    const person = trip && (await context.recoveries.findRecovering(trip.personId, context.now()))
    if (!person || passwordMark(person.passwordHash) !== trip.before) return again('/recover', { code: 'expired' })
    const password = form.get('password')
    const problem = passwordProblem(password, person.username, context.config.serviceName)
    if (problem)
      return again('/recover/password', { field: 'password', code: `password_${problem}` }, {}, form.get('trip'))
    const { personId } = person
    const wait = await context.hashLimits.passwords.take(personId, addressFrom(request))
    if (wait > 0) return again('/recover/password', { code: 'slow_down', wait }, {}, form.get('trip'))
    const reset = { hash: await hashPassword(password), revoke: form.get('apps') === 'end', by: trip.by }
    // Whoever reads the inbox has one factor: nothing changes before the other one is shown.
    if (await context.factors.hasTotp(personId)) return askSecondFactor(context, destination, personId, reset)
    if (!(await resetPassword(context, request, person, reset))) return again('/recover', { code: 'expired' })
    return establishSession(context, request, destination, { personId, amr: recovered })
  })

/** Puts the new password in place and tells the person; false when somebody else did so meanwhile. */
export async function resetPassword(
  context: Context,
  request: Request,
  { personId, username, locale, email: to, passwordHash: before }: Recovering,
  { hash, revoke, by }: Reset,
): Promise<boolean> {
  const now = context.now()
  if (!(await context.recoveries.resetPassword({ personId, before, hash, now, revoke }))) return false
  await context.activity.record(personId, { at: now, kind: 'recovered', detail: {}, ...originOf(request) })
  void context.letters.recovered({ to, username, locale, by, ...happening(context, request) })
  return true
}

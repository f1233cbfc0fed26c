import { originOf } from '#lib/account/activity/activity'
import { foldUsername } from '#lib/account/person/login-name'
import { browserOf } from '#lib/http/cookies'
import { spendRecoveryCode } from '#lib/sign-in/recovery-codes/recovery-code'
import { beginAttempt } from '#lib/sign-in/throttle/sign-in-throttle'
import { answerRecoveryForm } from './recovery-form.ts'
import { askNewPassword, type RecoveryContext } from './recovery-step.ts'

/** POST /recover/by-code/submit: a username and a recovery code; leads to the new password. */
export const answerRecoverByCode = (context: RecoveryContext, request: Request): Promise<Response> =>
  answerRecoveryForm(context, request, async ({ form, destination, askAgain }) => {
    const login = form.get('login').trim().slice(0, 254)
    const kept = { login }
    if (login === '') return askAgain('/recover/by-code', { field: 'login', code: 'login_missing' }, kept)
    const typed = form.get('code').slice(0, 60)
    if (typed.trim() === '') return askAgain('/recover/by-code', { field: 'code', code: 'code_missing' }, kept)
    const { signIn, factors } = context
    const at = context.now()
    const name = foldUsername(login)
    const person = await signIn.findCredentials(name, at)
    const browser = browserOf(context, request).hash
    const attempt = await beginAttempt(context, request, 'recovery-code', { typed: name, person, browser })
    if (attempt.wait() > 0) return askAgain('/recover/by-code', { code: 'wait', wait: attempt.wait() }, kept)
    const right = await attempt.look(() => spendRecoveryCode(factors, person?.personId, typed, at))
    if (!person || !right) {
      const wait = await attempt.failed()
      const problem = wait > 0 ? { code: 'wait', wait } : { field: 'code', code: 'code_wrong' }
      return askAgain('/recover/by-code', problem, kept)
    }
    await attempt.succeeded()
    const { personId } = person
    await context.activity.record(personId, { at, kind: 'recovery_code_used', detail: {}, ...originOf(request) })
    return askNewPassword(context, request, destination, { personId, by: 'code' })
  })

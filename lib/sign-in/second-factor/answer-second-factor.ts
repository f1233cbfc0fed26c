import { originOf } from '#lib/account/activity/activity'
import { type Destination, destinationFields, receiveSignInForm } from '#lib/flow/destination'
import { setCookie } from '#lib/http/cookies'
import { type Flash, goAndSay } from '#lib/http/flash'
import { pathWith } from '#lib/http/redirect'
import type { SignInContext } from '#lib/sign-in/context'
import { establishSession } from '#lib/sign-in/establish-session'
import type { RecoveryContext } from '#lib/sign-in/recovery/recovery-step'
import { resetPassword } from '#lib/sign-in/recovery/reset-password'
import { beginFactorAttempt } from './factor-throttle.ts'
import { readPending } from './pending.ts'
import { spendCode } from './spend-code.ts'

type Problem = Flash['problems'][number]

/** POST /two-factor/submit: a code of the authenticator app, or a recovery code, after the first proof. */
export async function answerTwoFactor(context: RecoveryContext, request: Request): Promise<Response> {
  const received = await receiveSignInForm(context, request)
  if (received instanceof Response) return received
  const { form, destination } = received
  const backToPassword = (problem: Problem) =>
    sayOn(context, request, destination, { page: '/signin', problem }, [setCookie(context, 'pending', '', 0)])
  const askAgain = (problem: Problem) => sayOn(context, request, destination, { page: '/two-factor', problem })
  const pending = await readPending(context, request.headers.get('cookie'))
  if (!pending) return backToPassword({ code: 'two_factor_expired' })
  const typed = form.get('code').slice(0, 60)
  if (typed.trim() === '') return askAgain({ field: 'code', code: 'code_missing' })
  const { personId, said, reset } = pending
  const attempt = await beginFactorAttempt(context, request, personId)
  if (attempt.wait() > 0) return backToPassword({ code: 'wait', wait: attempt.wait() })
  if (!(await attempt.look(() => spendCode(context, request, personId, typed)))) {
    const wait = await attempt.failed()
    await noteFailure(context, request, personId)
    return wait > 0 ? backToPassword({ code: 'wait', wait }) : askAgain({ field: 'code', code: 'code_wrong' })
  }
  await attempt.succeeded()
  if (!reset) return establishSession(context, request, destination, { personId, amr: ['pwd', 'otp', 'mfa'], ...said })
  const person = await context.recoveries.findRecovering(personId, context.now())
  const proven = person && { person, reset, secondFactor: true }
  const answer = proven && (await resetPassword(context, request, destination, proven))
  return answer ?? backToPassword({ code: 'two_factor_expired' })
}

/** Records a wrong code for the owner: the first proof was right. */
const noteFailure = (context: SignInContext, request: Request, personId: string) =>
  context.activity.record(personId, { at: context.now(), kind: 'sign_in_failed', detail: {}, ...originOf(request) })

const sayOn = (
  context: SignInContext,
  request: Request,
  destination: Destination,
  { page, problem }: { page: '/signin' | '/two-factor'; problem: Problem },
  cookies: string[] = [],
) => {
  const flash = { form: page.slice(1), problems: [problem], kept: {} }
  return goAndSay(context, request, pathWith(page, destinationFields(destination)), flash, cookies)
}

import { originOf } from '#lib/account/activity/activity'
import { carry, type Destination, goBack, readDestination } from '#lib/flow/destination'
import { setCookie } from '#lib/http/cookies'
import { isFromOurPages } from '#lib/http/csrf'
import { type Flash, goAndSay } from '#lib/http/flash'
import { readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { pathWith } from '#lib/http/redirect'
import type { Context } from '#lib/server/compose/context'
import { digitsOf, matchTotp } from '#lib/sign-in/authenticator/totp'
import { sealStoredTotp } from '#lib/sign-in/authenticator/totp-seal'
import { openTotp } from '#lib/sign-in/authenticator/totp-secret'
import { establishSession } from '#lib/sign-in/establish-session'
import { resetPassword } from '#lib/sign-in/recovery/reset-password'
import { foldRecoveryCode, spendRecoveryCode } from '#lib/sign-in/recovery-codes/recovery-code'
import { beginFactorTry } from './factor-try.ts'
import { type Pending, readPending } from './pending.ts'

/** POST /two-factor/submit: six digits of the authenticator app, or a recovery code, after the right password. */
export async function answerTwoFactor(context: Context, request: Request): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(request, context.config.accountUrl))
    return showProblem(context, { kind: 'not_from_here' })
  const destination = await readDestination(context, request, { request: form.get('request'), to: form.get('to') })
  if (destination instanceof Response) return destination
  if (form.get('action') === 'cancel') return goBack(context, destination)
  const cookies = request.headers.get('cookie')
  const pending = await readPending(context, cookies)
  if (!pending) return backToPassword(context, request, destination, { code: 'two_factor_expired' })
  const typed = form.get('code').slice(0, 60)
  if (typed.trim() === '') return askAgain(context, request, destination, { field: 'code', code: 'code_missing' })
  const attempt = await beginFactorTry(context, request, pending.personId)
  if (attempt.wait() > 0) return backToPassword(context, request, destination, { code: 'wait', wait: attempt.wait() })
  if (await attempt.look(() => isRight(context, request, pending, typed))) {
    await attempt.succeeded()
    const { personId, reset } = pending
    if (!reset) return establishSession(context, request, destination, { personId, amr: ['pwd', 'otp', 'mfa'] })
    const person = await context.recoveries.findRecovering(personId, context.now())
    const proven = person && { person, reset, secondFactor: true }
    const answer = proven && (await resetPassword(context, request, destination, proven))
    return answer ?? backToPassword(context, request, destination, { code: 'two_factor_expired' })
  }
  return refuse(context, request, destination, pending, await attempt.failed())
}

/** Each code counts once, whoever comes with it at the same moment. */
async function isRight(context: Context, request: Request, { personId }: Pending, typed: string): Promise<boolean> {
  const now = context.now()
  if (digitsOf(typed).length === 6) {
    const totp = await openTotp(context, personId)
    const step = totp && matchTotp(totp.secret, typed, now)
    return (
      step !== undefined &&
      context.factors.spendTotpStep(personId, step, await sealStoredTotp(context, personId, totp?.secret as Buffer))
    )
  }
  if (foldRecoveryCode(typed) === undefined) return false
  if (!(await spendRecoveryCode(context.factors, personId, typed, now))) return false
  await context.activity.record(personId, { at: now, kind: 'recovery_code_used', detail: {}, ...originOf(request) })
  return true
}

/** The password was right and the code is not: worth telling the owner. After a few tries it begins anew. */
async function refuse(
  context: Context,
  request: Request,
  destination: Destination,
  { personId }: Pending,
  wait: number,
) {
  const failed = { at: context.now(), kind: 'sign_in_failed', detail: {}, ...originOf(request) } as const
  await context.activity.record(personId, failed)
  return wait > 0
    ? backToPassword(context, request, destination, { code: 'wait', wait })
    : askAgain(context, request, destination, { field: 'code', code: 'code_wrong' })
}

type Problem = Flash['problems'][number]

const askAgain = (context: Context, request: Request, destination: Destination, problem: Problem) =>
  goAndSay(context, request, pathWith('/two-factor', carry(destination)), {
    form: 'two-factor',
    problems: [problem],
    kept: {},
  })

const backToPassword = (context: Context, request: Request, destination: Destination, problem: Problem) =>
  goAndSay(
    context,
    request,
    pathWith('/signin', carry(destination)),
    { form: 'signin', problems: [problem], kept: {} },
    [setCookie(context, 'pending', '', 0)],
  )

import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import { addressFrom } from '#lib/account/activity/activity'
import { notifyPasswordChange } from '#lib/account/notify-owner'
import { keepKnown, type SessionsContext, securityPage, signOutElsewhere } from '#lib/account/sessions/end-sessions'
import { hashPassword } from '#lib/crypto/password-hash'
import type { PageForm } from '#lib/http/form'
import { pathWith } from '#lib/http/redirect'
import type { HashLimits } from '#lib/sign-in/context'
import { strengthOf } from '#lib/sign-in/password/strength/answer-strength'
import type { EstimateStrength } from '#lib/sign-in/password/strength/estimate-strength'
import type { SignUpStore } from '#lib/sign-in/sign-up/newcomer'
import type { IsLeaked } from './leaked-passwords.ts'
import { passwordProblem } from './password-problem.ts'

type PasswordContext = SessionsContext & {
  hashLimits: Pick<HashLimits, 'passwords'>
  signUps: Pick<SignUpStore, 'setPassword'>
  isLeaked: IsLeaked
  estimateStrength: EstimateStrength
}

/** POST /account/security/password/submit: sets or changes the password, and signs out other browsers if chosen. */
export const answerPasswordChange = (context: PasswordContext, request: Request): Promise<Response> =>
  answerAccountForm(
    context,
    request,
    { form: 'security-password', page: passwordPage, fresh: true },
    async (submission: Submission<PasswordContext>): Promise<Outcome> => {
      const { form, person } = submission
      const password = form.get('password')
      const problem = passwordProblem(password, person.username, context.config.serviceName)
      if (problem) return { problems: [{ field: 'password', code: problem }] }
      const wait = await context.hashLimits.passwords.take(person.id, addressFrom(request))
      if (wait > 0) return { problems: [{ code: 'wait', wait }] }
      if (await context.isLeaked(password)) return { problems: [{ field: 'password', code: 'leaked' }] }
      const hash = await hashPassword(password)
      const cookies = await keepKnown(submission, async () => {
        await context.signUps.setPassword(person.id, hash, context.now())
        await notifyPasswordChange(submission)
        await signOutElsewhere(submission, { browsers: form.get('browsers') === '1', apps: form.get('apps') === '1' })
      })
      const strength = await strengthOf(context, password, [person.username, context.config.serviceName])
      return { done: 'password_changed', to: securityPage(form), cookies, ...(strength && { kept: { strength } }) }
    },
  )

/** The page keeps the way back to the steps of "This wasn’t me". */
const passwordPage = (form: PageForm) =>
  pathWith('/account/security/password', { secure: form.get('secure').slice(0, 24) || undefined })

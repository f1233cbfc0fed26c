import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import { addressFrom } from '#lib/account/activity/activity'
import { notifyPasswordChange } from '#lib/account/notify-owner'
import { keepKnown, signOutElsewhere } from '#lib/account/sessions/end-sessions'
import { hashPassword } from '#lib/crypto/password-hash'
import type { Context } from '#lib/server/compose/context'
import { passwordProblem } from '#lib/sign-in/sign-up/newcomer'

/** POST /account/security/password/submit: a first or a new password, and whether others are signed out. */
export const answerPasswordChange = (context: Context, request: Request): Promise<Response> =>
  answerAccountForm(
    context,
    request,
    { form: 'security-password', page: '/account/security/password', fresh: true },
    async (act: Submission<Context>): Promise<Outcome> => {
      const { form, person } = act
      const password = form.get('password')
      const problem = passwordProblem(password, person.username, context.config.serviceName)
      if (problem) return { problems: [{ field: 'password', code: problem }] }
      const wait = await context.hashLimits.passwords.take(person.id, addressFrom(request))
      if (wait > 0) return { problems: [{ code: 'wait', wait }] }
      const hash = await hashPassword(password)
      const cookies = await keepKnown(act, async () => {
        await context.signUps.setPassword(person.id, hash)
        await notifyPasswordChange(act)
        await signOutElsewhere(act, { browsers: form.get('browsers') === '1', apps: form.get('apps') === '1' })
      })
      return { done: 'password_changed', to: '/account/security', cookies }
    },
  )

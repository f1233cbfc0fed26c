import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import type { AccountContext } from '#lib/account/context'
import { noteActivity } from '#lib/account/notify-owner'
import { newAppEmails } from '#lib/oauth/consent/preselected-email'
import type { OwnAliasStore } from './store.ts'

type NewAppContext = AccountContext & { hideMyEmail: Pick<OwnAliasStore, 'setNewAppEmail'> }

/** POST /account/hide-my-email/new-apps: stores the address that pages preselect for new apps. */
export const answerNewAppEmail = (context: NewAppContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'hide-my-email', page: '/account/hide-my-email' }, storeChoice)

async function storeChoice(submission: Submission<NewAppContext>): Promise<Outcome> {
  const { context, form, person } = submission
  const choice = newAppEmails.find((known) => known === form.get('new_app_email'))
  if (!choice) return { problems: [{ code: 'choice' }] }
  const changed = await context.hideMyEmail.setNewAppEmail(person.id, choice)
  if (changed) await noteActivity(submission, `new_apps_${choice}`)
  return { done: `new_apps_${choice}` }
}

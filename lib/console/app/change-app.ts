import type { Outcome } from '#lib/account/account-form'
import type { ConsoleContext } from '#lib/console/context'
import { actOf } from '#lib/console/team-form'
import { type AppSubmission, answerAppForm } from './app-form.ts'
import { besideFields, declare, settingsFields, withForm } from './declare-app.ts'
import { keptOf } from './register-app.ts'

/** POST /console/app/change: changes the fields that the form shows, unless the app was changed after the form was opened. */
export const answerAppChange = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, { form: 'app', section: 'settings', action: 'app.change' }, changeApp)

async function changeApp(submission: AppSubmission): Promise<Outcome> {
  const { context, form, team, app } = submission
  const declaration = withForm(app.declaration, form, settingsFields)
  const kept = keptOf(declaration)
  const { app: declared, problems } = declare(context, declaration, team.id)
  if (!declared) return { problems: besideFields(problems), kept }
  const version = form.get('version')
  // A version that is no time cannot be that of the app.
  if (Number.isNaN(Date.parse(version))) return { problems: [{ code: 'app_stale' }], kept }
  const written = await context.teamApps.update(declared, version, actOf(submission, 'app_changed'))
  if (written.result === 'refused') return { problems: besideFields(written.problems), kept }
  if (written.result !== 'written') return { problems: [{ code: `app_${written.result}` }], kept }
  return { done: 'changed' }
}

import type { Outcome } from '#lib/account/account-form'
import type { Acted, AppAuthor } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { actOf } from '#lib/console/team-form'
import { type AppSubmission, answerAppForm } from './app-form.ts'
import { appNameProblems } from './app-name.ts'
import { besideFields, declare, settingsFields, withForm } from './declare-app.ts'
import { keptOf } from './register-app.ts'

/** POST /console/app/change: changes the fields that the form shows, unless the app was changed after the form was opened. */
export const answerAppChange = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, { form: 'app', section: 'settings', action: 'app.change' }, changeByForm)

async function changeByForm(submission: AppSubmission): Promise<Outcome> {
  const { context, form, app } = submission
  const declaration = withForm(app.declaration, form, settingsFields)
  const changed = await changeApp(context, submission, { declaration, version: form.get('version') })
  return 'problems' in changed ? { ...changed, kept: keptOf(declaration) } : changed
}

/** Writes a declaration of an app, unless another editor has changed the app since the version that this one has read. */
export async function changeApp(
  context: ConsoleContext,
  by: AppAuthor,
  { declaration, version }: { declaration: Record<string, unknown>; version: string },
): Promise<Acted> {
  const { app: declared, problems } = declare(context, declaration, by.team.id, by.app)
  if (!declared) return { problems: besideFields(problems) }
  const names = await appNameProblems(context, by, declaration, by.app.declaration)
  if (names.length > 0) return { problems: names }
  // Compared as text: a time that no database can store must not reach it.
  if (version !== by.app.version) return { problems: [{ code: 'app_stale' }] }
  const written = await context.teamApps.update(declared, version, actOf({ context, ...by }, 'app_changed'))
  if (written.result === 'refused') return { problems: besideFields(written.problems) }
  if (written.result !== 'written') return { problems: [{ code: `app_${written.result}` }] }
  return { done: 'changed' }
}

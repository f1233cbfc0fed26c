import type { Outcome } from '#lib/account/account-form'
import type { ConsoleContext } from '#lib/console/context'
import { actOf } from '#lib/console/team-form'
import { type AppSubmission, answerAppForm } from './app-form.ts'

/** The days in which a team can keep an app that it has deleted. */
export const appGraceDays = 30

/** POST /console/app/state: closes an app, or opens it. */
export const answerAppState = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, { form: 'app', section: 'settings', action: 'app.disable', fresh: true }, setState)

/** POST /console/app/delete: closes an app now, and deletes it after the grace period. */
export const answerAppDeletion = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, { form: 'app', section: 'settings', action: 'app.delete', fresh: true }, deleteApp)

/** POST /console/app/keep: cancels the deletion. */
export const answerAppKeep = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, { form: 'app', section: 'settings', action: 'app.delete' }, async (submission) => {
    const {
      context: { teamApps },
      app,
    } = submission
    const isKept = await teamApps.setDeletion(app.id, undefined, actOf(submission, 'app_kept'))
    return isKept ? { done: 'kept' } : { problems: [{ code: 'app_gone' }] }
  })

async function setState(submission: AppSubmission): Promise<Outcome> {
  const { context, form, app } = submission
  const isDisabled = form.get('state') === 'disabled'
  const act = actOf(submission, isDisabled ? 'app_disabled' : 'app_enabled')
  if (await context.teamApps.setDisabled(app.id, isDisabled, act)) return { done: isDisabled ? 'disabled' : 'enabled' }
  return { problems: [{ code: app.removeAfter ? 'app_deleting' : 'app_closed_by_operator' }] }
}

async function deleteApp(submission: AppSubmission): Promise<Outcome> {
  const { context, form, app } = submission
  const typed = form.get('confirm').trim().slice(0, 200)
  if (typed !== app.name) {
    const code = typed === '' ? 'confirm_missing' : 'confirm_different'
    return { problems: [{ field: 'confirm', code }], kept: { confirm: typed } }
  }
  const after = new Date(context.now().getTime() + appGraceDays * 86_400_000)
  await context.teamApps.setDeletion(app.id, after, actOf(submission, 'app_deleted'))
  return { done: 'deleted' }
}

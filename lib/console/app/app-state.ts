import type { Outcome } from '#lib/account/account-form'
import type { Acted, AppAuthor } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { actOf } from '#lib/console/team-form'
import { type AppSubmission, answerAppForm } from './app-form.ts'

/** The days in which a team can keep an app that it has deleted. */
export const appGraceDays = 30

/** POST /console/app/state: closes an app, or opens it. */
export const answerAppState = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(
    context,
    request,
    { form: 'app', section: 'settings', action: 'app.disable', fresh: true },
    (submission) =>
      setAppState(submission.context, submission, submission.form.get('state') === 'disabled' ? 'disabled' : 'enabled'),
  )

/** POST /console/app/delete: closes an app now, and deletes it after the grace period. */
export const answerAppDeletion = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(
    context,
    request,
    { form: 'app', section: 'settings', action: 'app.delete', fresh: true },
    confirmDeletion,
  )

/** POST /console/app/keep: cancels the deletion. */
export const answerAppKeep = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, { form: 'app', section: 'settings', action: 'app.delete' }, (submission) =>
    keepApp(submission.context, submission),
  )

async function confirmDeletion(submission: AppSubmission): Promise<Outcome> {
  const { context, form, app } = submission
  const typed = form.get('confirm').trim().slice(0, 200)
  if (typed === app.name) return deleteApp(context, submission)
  const code = typed === '' ? 'confirm_missing' : 'confirm_different'
  return { problems: [{ field: 'confirm', code }], kept: { confirm: typed } }
}

/** Closes an app, or opens it, unless the operator closed it or it is being deleted. */
export async function setAppState(
  context: ConsoleContext,
  by: AppAuthor,
  state: 'disabled' | 'enabled',
): Promise<Acted> {
  const isDisabled = state === 'disabled'
  const act = actOf({ context, ...by }, isDisabled ? 'app_disabled' : 'app_enabled')
  if (await context.teamApps.setDisabled(by.app, isDisabled, act)) return { done: state }
  if (by.app.disabledBy === 'transfer') return { problems: [{ code: 'app_moving' }] }
  return { problems: [{ code: by.app.removeAfter ? 'app_deleting' : 'app_closed_by_operator' }] }
}

/** Closes an app now, and deletes it after the grace period. */
export async function deleteApp(context: ConsoleContext, by: AppAuthor): Promise<Acted> {
  const after = new Date(context.now().getTime() + appGraceDays * 86_400_000)
  await context.teamApps.setDeletion(by.app, after, actOf({ context, ...by }, 'app_deleted'))
  return { done: 'deleted' }
}

/** Cancels the deletion of an app. */
export async function keepApp(context: ConsoleContext, by: AppAuthor): Promise<Acted> {
  const isKept = await context.teamApps.setDeletion(by.app, undefined, actOf({ context, ...by }, 'app_kept'))
  return isKept ? { done: 'kept' } : { problems: [{ code: 'app_gone' }] }
}

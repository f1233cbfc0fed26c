import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import { timeFormOf } from '#lib/account/activity/describe-event'
import type { AccountContext } from '#lib/account/context'
import { noteActivity, ownerOf } from '#lib/account/notify-owner'
import { foldUsername } from '#lib/account/person/login-name'
import { pathWith } from '#lib/http/redirect'
import { type DeletionStore, graceDays } from './deletion.ts'

type DeletionContext = AccountContext & { deletions: DeletionStore }

/** POST /account/data/delete/submit: starts the grace period, and revokes the access of apps at once. */
export const answerDeletion = (context: DeletionContext, request: Request): Promise<Response> =>
  answerAccountForm(
    context,
    request,
    { form: 'delete', page: '/account/data/delete', fresh: true, keeps: { confirm: 'confirm' } },
    askForDeletion,
  )

/** POST /account/data/keep: cancels the deletion, and continues to the app whose request was interrupted. */
export const answerKeep = (context: DeletionContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'keep', page: '/account/data' }, async (submission) => {
    const { form, person } = submission
    const kept = await context.deletions.keep(person.id, context.now())
    if (kept) {
      await noteActivity(submission, 'deletion_undone')
      void context.letters.deletionUndone(ownerOf(person))
    }
    const sealed = form.get('request')
    return { done: 'kept', ...(sealed && { to: pathWith('/continue', { request: sealed }) }) }
  })

async function askForDeletion(submission: Submission<DeletionContext>): Promise<Outcome> {
  const { context, form, person, session } = submission
  const typed = form.get('confirm').slice(0, 100)
  if (foldUsername(typed) !== person.username) {
    const code = typed.trim() === '' ? 'confirm_missing' : 'confirm_different'
    return { problems: [{ field: 'confirm', code }], kept: { confirm: typed } }
  }
  const now = context.now()
  const deleteAfter = new Date(now.getTime() + graceDays * 86_400_000)
  const result = await context.deletions.ask(person.id, { keepSession: session.id, now, deleteAfter })
  // The page lists the teams, or says that the person is the only operator.
  if (result === 'needed' || result === 'last operator') return { problems: [], kept: { confirm: typed } }
  if (result === 'asked') {
    await noteActivity(submission, 'deletion_asked')
    const letter = { ...ownerOf(person), timeForm: timeFormOf(submission.request), until: deleteAfter }
    void context.letters.deletionAsked(letter)
  }
  return { done: 'asked', to: '/account/data' }
}

import { type Act, answerAction, type Outcome } from '#lib/account/account-form'
import { note, ownerOf } from '#lib/account/tell-owner'
import { pathWith } from '#lib/http/redirect'
import type { Context } from '#lib/server/compose/context'
import { foldUsername } from '#lib/sign-in/password/check-password'
import { graceDays } from './deletion.ts'

/** POST /account/data/delete/submit: begins the grace after which everything goes; apps lose their access at once. */
export const answerDeletion = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form: 'delete', page: '/account/data/delete', fresh: true, keeps }, askForDeletion)

const keeps = { confirm: 'confirm' }

/** POST /account/data/keep: changes one's mind, and goes on into the app one was on the way to. */
export const answerKeep = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form: 'keep', page: '/account/data' }, async (act) => {
    const kept = await context.deletions.keep(act.person.id, context.now())
    if (kept) {
      await note(act, 'deletion_undone')
      void context.letters.deletionUndone(ownerOf(act.person))
    }
    const sealed = act.form.get('request')
    return { done: 'kept', ...(sealed && { to: pathWith('/continue', { request: sealed }) }) }
  })

async function askForDeletion(act: Act): Promise<Outcome> {
  const { context, form, person, session } = act
  const typed = form.get('confirm').slice(0, 100)
  if (foldUsername(typed) !== person.username) {
    const code = typed.trim() === '' ? 'confirm_missing' : 'confirm_different'
    return { problems: [{ field: 'confirm', code }], kept: { confirm: typed } }
  }
  const now = context.now()
  const deleteAfter = new Date(now.getTime() + graceDays * 86_400_000)
  const began = await context.deletions.ask(person.id, { keepSession: session.id, now, deleteAfter })
  if (began) {
    await note(act, 'deletion_asked')
    void context.letters.deletionAsked({ ...ownerOf(person), until: deleteAfter })
  }
  return { done: 'asked', to: '/account/data' }
}

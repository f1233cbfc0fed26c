import { originOf } from '#lib/account/activity/activity'
import { describeEvent } from '#lib/account/activity/describe-event'
import type { EmailUndoStore, Undone } from '#lib/account/email/store'
import { undoHashOf, undoPage } from '#lib/account/email/undo'
import { type FlashProblem, goAndSay } from '#lib/http/flash'
import { receiveForm } from '#lib/http/form'
import { pathWith } from '#lib/http/redirect'
import type { SignInContext } from '#lib/sign-in/context'
import { beginLink } from '#lib/sign-in/throttle/link-throttle'
import { proveEarlierFactor } from './prove-earlier-factor.ts'

type UndoContext = SignInContext & { emailUndos: EmailUndoStore }

/**
 * POST /undo-email/submit: restores the address from before a change, by the link in the letter to it and a factor that the
 * account had before. Begins no session (issue "A product people enjoy", item 14: "restores the address only, never signs
 * in").
 */
export async function answerEmailUndo(context: UndoContext, request: Request): Promise<Response> {
  const form = await receiveForm(context, request, 'token')
  if (form instanceof Response) return form
  const key = form.get('key').slice(0, 100)
  const say = (result: { problems: FlashProblem[] } | { done: string }) => {
    const kept = { by: form.get('by') === 'code' ? 'code' : 'password' }
    return goAndSay(context, request, pathWith(undoPage, { key }), {
      form: 'undo-email',
      problems: [],
      kept,
      ...result,
    })
  }
  const refuse = (problem: FlashProblem) => say({ problems: [problem] })
  const attempt = await beginLink(context, request)
  if (attempt.wait() > 0) return refuse({ code: 'wait', wait: attempt.wait() })
  const change = await context.emailUndos.find(undoHashOf(key), context.now())
  if (!change) {
    await attempt.failed()
    return refuse({ code: 'over' })
  }
  await attempt.succeeded()
  const problem = await proveEarlierFactor(context, request, form, change)
  if (problem) return refuse(problem)
  const undone = await context.emailUndos.undo(undoHashOf(key), context.now())
  if (typeof undone === 'string') return refuse({ code: undone })
  await tellOwner(context, request, undone)
  return say({ done: 'undone' })
}

/** Records the undo in the activity, and writes to the restored address and to the one it replaced. */
async function tellOwner(context: UndoContext, request: Request, undone: Undone) {
  const { personId, username, locale, restored, replaced, sessions } = undone
  const detail = { count: String(sessions) }
  await context.activity.record(personId, { at: context.now(), kind: 'email_restored', detail, ...originOf(request) })
  const about = { username, locale, ...describeEvent(context, request) }
  void context.letters.addressRestored({ to: restored, ...about })
  if (replaced !== restored) void context.letters.addressReplaced({ to: replaced, ...about })
}

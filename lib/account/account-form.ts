import { type Current, currentSession } from '#lib/account/signed-in/session'
import { isFresh } from '#lib/account/signed-in/step-up'
import { postedFrom } from '#lib/http/csrf'
import { type Flash, flashCookies, goAndSay } from '#lib/http/flash'
import { type PageForm, readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Context } from '#lib/server/compose/context'

/** Somebody doing something to their own account. */
export type Act<Form extends PageForm = PageForm> = Current & { context: Context; request: Request; form: Form }

/** What came of it: said once on the page it leads to, or the problems beside their fields, or an answer of its own. */
export type Outcome =
  | { done: string; to?: string; cookies?: string[] }
  | { problems: Flash['problems']; kept?: Record<string, string>; to?: string }
  | { answer: Response }

/** Where somebody signs in, again or at all, and comes back to what they were doing. */
export const signInFor = (path: string, fresh = false): string =>
  pathWith('/signin', { to: path, fresh: fresh ? '1' : undefined })

/**
 * Answers a form of the account pages: ours, from somebody signed in, recently enough; then `run` does it. The form's
 * name is also the flash's, and `page` is where it stands.
 */
export async function answerAction(
  context: Context,
  request: Request,
  about: About,
  run: (act: Act) => Promise<Outcome>,
): Promise<Response> {
  return answerRead(context, request, about, await readPageForm(request), run)
}

/** The same for a form that was read already, such as one with a file. */
export async function answerRead<Form extends PageForm>(
  context: Context,
  request: Request,
  about: About,
  form: Form | undefined,
  run: (act: Act<Form>) => Promise<Outcome>,
): Promise<Response> {
  const from = postedFrom(request, context.config.accountUrl)
  if (!form || from === 'elsewhere') return showProblem(context, { kind: 'not_from_here' })
  const current = await currentSession(context, request.headers.get('cookie'))
  if (!current) return goTo(signInFor(about.page))
  // Nothing says whose page it was, and only a page of ours could know this.
  if (from === 'unsaid' && form.get('session') !== current.session.publicId)
    return showProblem(context, { kind: 'not_from_here' })
  if (about.fresh && !isFresh(current, context.now())) return confirmFirst(context, request, about, form)
  const outcome = await run({ ...current, context, request, form })
  if ('answer' in outcome) return outcome.answer
  const cookies = 'cookies' in outcome ? outcome.cookies : []
  return goAndSay(context, request, outcome.to ?? about.page, flashOf(about.form, outcome), cookies)
}

/** Whose upload a body will be, told by its headers alone: from a page of ours, which browsers say, and with a session. */
export async function findUploader(context: Context, request: Request, page: string): Promise<Current | Response> {
  if (postedFrom(request, context.config.accountUrl) !== 'ours') return showProblem(context, { kind: 'not_from_here' })
  return (await currentSession(context, request.headers.get('cookie'))) ?? goTo(signInFor(page))
}

type About = {
  form: string
  page: string
  fresh?: boolean
  /** Fields that come back with the page after signing in again, by the name the page knows them under; never a password. */
  keeps?: Record<string, string>
}

/** What was typed waits on the page for its owner's return. */
async function confirmFirst(
  context: Context,
  request: Request,
  { form: name, page, keeps = {} }: About,
  form: PageForm,
) {
  const typed = Object.entries(keeps).map(([field, known]) => [known, form.get(field).slice(0, 1000)])
  const flash = { form: name, problems: [], kept: Object.fromEntries(typed) }
  return goTo(signInFor(page, true), await flashCookies(context, request, flash, page))
}

function flashOf(form: string, outcome: Exclude<Outcome, { answer: Response }>): Flash {
  return 'done' in outcome
    ? { form, problems: [], kept: {}, done: outcome.done }
    : { form, problems: outcome.problems, kept: outcome.kept ?? {} }
}

import { type Current, currentSession } from '#lib/account/signed-in/session'
import { isFresh } from '#lib/account/signed-in/step-up'
import { type Flash, flashCookies, goAndSay } from '#lib/http/flash'
import { isFromOurPages, type PageForm, receiveForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import type { AccountContext } from './context.ts'

/** An accepted account form: the session it was posted in, its person, and its fields. */
export type Submission<C extends AccountContext = AccountContext, Form extends PageForm = PageForm> = Current & {
  context: C
  request: Request
  form: Form
}

/** The result of a form: a message for the page it leads to, problems beside its fields, or a response of its own. */
export type Outcome =
  | { done: string; to?: string; cookies?: string[]; kept?: Record<string, string> }
  | { problems: Flash['problems']; kept?: Record<string, string>; to?: string }
  | { answer: Response }

type FormPage = {
  /** The name of the form, which is also the name of its flash. */
  form: string
  /** The page that shows the form. */
  page: string
  /** Whether the form requires a recent sign-in. */
  fresh?: boolean
  /** Whether the answer is a file. The browser then keeps showing the page of the form, with any notice on it. */
  isDownload?: boolean
  /** Fields that are kept while the person signs in again, by the name the page uses for them; never a password. */
  keeps?: Keeps
}

/** The fields of a form by the name that its page uses for them; or the values that its page shows again. */
export type Keeps = Record<string, string> | ((form: PageForm) => Record<string, string>)

/** A form whose fields name the page that shows it, such as one about a team. */
type PageOfForm = Omit<FormPage, 'page'> & { page: string | ((form: PageForm) => string) }

/** Returns the address of the sign-in page that leads back to `path`; `fresh` asks for a new sign-in. */
export const signInFor = (path: string, fresh = false): string =>
  pathWith('/signin', { to: path, fresh: fresh ? '1' : undefined })

/**
 * Answers a form of the account pages. Runs `run` only for a form posted from our pages, in a session, and after a recent
 * sign-in where the form requires one.
 */
export async function answerAccountForm<C extends AccountContext>(
  context: C,
  request: Request,
  { page: pageOf, ...rest }: PageOfForm,
  run: (submission: Submission<C>) => Promise<Outcome>,
): Promise<Response> {
  const current = await currentSession(context, request.headers.get('cookie'))
  // Without a session, the form only leads to the sign-in page, so a forged post gains nothing.
  const form = await receiveForm(context, request, current ? current.session : 'token')
  if (form instanceof Response) return form
  const about = { ...rest, page: typeof pageOf === 'string' ? pageOf : pageOf(form) }
  return current ? runForm(context, request, about, { current, form }, run) : goTo(signInFor(about.page))
}

/** Answers a parsed form with a file, after `findUploader` has accepted the request. */
export async function answerParsedForm<C extends AccountContext, Form extends PageForm>(
  context: C,
  request: Request,
  about: FormPage,
  form: Form | undefined,
  run: (submission: Submission<C, Form>) => Promise<Outcome>,
): Promise<Response> {
  if (!form || !isFromOurPages(context, request, 'headers')) return showProblem(context, { kind: 'not_from_here' })
  const current = await currentSession(context, request.headers.get('cookie'))
  return current ? runForm(context, request, about, { current, form }, run) : goTo(signInFor(about.page))
}

async function runForm<C extends AccountContext, Form extends PageForm>(
  context: C,
  request: Request,
  about: FormPage,
  { current, form }: { current: Current; form: Form },
  run: (submission: Submission<C, Form>) => Promise<Outcome>,
): Promise<Response> {
  const { id: person } = current.person
  if (!(await isShownTo(context, current, form.get('session')))) {
    const problems = [{ code: 'other_account' }]
    return goAndSay(context, request, about.page, { form: otherAccount, problems, kept: {}, person })
  }
  if (about.fresh && !isFresh(current, context.now())) return confirmFirst(context, request, about, { current, form })
  const outcome = await run({ ...current, context, request, form })
  if ('answer' in outcome) return outcome.answer
  const cookies = 'cookies' in outcome ? outcome.cookies : []
  return goAndSay(context, request, outcome.to ?? about.page, { ...flashOf(about.form, outcome), person }, cookies)
}

/** The name of the flash that says that a form was shown to another account. Every page of an account shows it. */
export const otherAccount = 'other-account'

/**
 * Returns whether a form was shown to the person who is signed in now, also in an earlier session. In a browser with several
 * accounts, another tab may have switched accounts. Every form of our pages names its session.
 */
const isShownTo = async ({ sessions }: AccountContext, { person, session }: Current, shown: string) =>
  shown === '' || shown === session.publicId || sessions.isOf(person.id, shown)

/** Returns the session an upload belongs to, from its headers only; rejects posts that did not come from our pages. */
export async function findUploader(
  context: AccountContext,
  request: Request,
  page: string,
): Promise<Current | Response> {
  if (!isFromOurPages(context, request, 'headers')) return showProblem(context, { kind: 'not_from_here' })
  return (await currentSession(context, request.headers.get('cookie'))) ?? goTo(signInFor(page))
}

/** Leads to the sign-in page and keeps the typed fields in the flash. */
async function confirmFirst(
  context: AccountContext,
  request: Request,
  { form: name, page, keeps = {}, isDownload = false }: FormPage,
  { current, form }: { current: Current; form: PageForm },
) {
  const kept = typeof keeps === 'function' ? keeps(form) : typedIn(form, keeps)
  const flash = { form: name, problems: [], kept, needsSignIn: !isDownload, person: current.person.id }
  return goTo(signInFor(page, true), await flashCookies(context, request, flash, page))
}

const typedIn = (form: PageForm, keeps: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(keeps).map(([field, known]) => [known, form.get(field).slice(0, 1000)]))

function flashOf(form: string, outcome: Exclude<Outcome, { answer: Response }>): Flash {
  const { kept = {} } = outcome
  return 'done' in outcome
    ? { form, problems: [], kept, done: outcome.done }
    : { form, problems: outcome.problems, kept }
}

import { answerAccountForm, type Submission } from '#lib/account/account-form'
import type { AccountContext } from '#lib/account/context'
import { noteActivity } from '#lib/account/notify-owner'
import type { SignInStore } from '#lib/account/signed-in/session'
import type { PageForm } from '#lib/http/form'
import { pathWith } from '#lib/http/redirect'
import { knownBrowserOf, rememberBrowser } from './known-browser.ts'
import type { SessionsStore } from './store.ts'

/** The parts of every handler, and the stores that ending sessions needs. */
export type SessionsContext = AccountContext & { sessions: SessionsStore; signIn: Pick<SignInStore, 'knownVersion'> }

/** As many as the page lists. */
const mostAtOnce = 100

/** POST /account/security/sessions/end: signs out one browser, or the repeats of one device. */
export const answerSessionEnd = (context: SessionsContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'security', page: '/account/security' }, async (submission) => {
    const { form, session, person } = submission
    const chosen = [...new Set(form.all('browser'))].slice(0, mostAtOnce)
    if (chosen.includes(session.publicId)) return { problems: [{ code: 'session_own' }] }
    const count = await context.sessions.end(person.id, chosen, context.now())
    if (count > 0) await noteActivity(submission, 'sessions_ended', { count: String(count) })
    return { done: chosen.length > 1 ? 'sessions_ended' : 'session_ended' }
  })

/**
 * Returns the page that a form of the security pages leads to: the steps of "This wasn’t me" when it was posted from there
 * or reached from there (issue "A product people enjoy", item 16).
 */
export const securityPage = (form: PageForm): string => {
  const secure = form.get('secure')
  return secure ? pathWith('/account/activity/secure', { at: secure.slice(0, 24) }) : '/account/security'
}

/** POST /account/security/sessions/others: signs out the other browsers, and revokes the tokens of apps if chosen. */
export const answerSessionsOthers = (context: SessionsContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'security', page: securityPage }, async (submission) => {
    const apps = submission.form.get('apps') === '1'
    const cookies = await keepKnown(submission, () => signOutElsewhere(submission, { browsers: true, apps }))
    return { done: apps ? 'others_and_apps_ended' : 'others_ended', cookies }
  })

/**
 * Runs a change that makes every browser unknown; returns the cookies that keep this browser known, if it was known.
 */
export async function keepKnown(
  { context, request, person }: Submission<SessionsContext>,
  run: () => Promise<void>,
): Promise<string[]> {
  const knownVersion = (await context.signIn.knownVersion(person.id)) ?? 0
  const wasKnown = await knownBrowserOf(context, request.headers.get('cookie'), { personId: person.id, knownVersion })
  await run()
  return wasKnown === undefined ? [] : (await rememberBrowser(context, request, { personId: person.id })).cookies
}

/** Ends the person's other sessions, and revokes the tokens of apps, as chosen. */
export async function signOutElsewhere(
  submission: Submission<SessionsContext>,
  chosen: { browsers: boolean; apps: boolean },
): Promise<void> {
  const { context, person, session } = submission
  const now = context.now()
  const count = chosen.browsers ? await context.sessions.endOthers(person.id, session.id, now) : 0
  const apps = chosen.apps ? await context.sessions.revokeApps(person.id, now) : 0
  if (count + apps > 0)
    await noteActivity(submission, 'sessions_ended', { count: String(count), ...(apps > 0 && { apps: String(apps) }) })
}

import { type Act, answerAction } from '#lib/account/account-form'
import { note } from '#lib/account/tell-owner'
import type { Context } from '#lib/server/compose/context'
import { knownBrowserOf, rememberBrowser } from './known-browser.ts'

/** POST /account/security/sessions/end: signs one browser out. */
export const answerSessionEnd = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form: 'security', page: '/account/security' }, async (act) => {
    const publicId = act.form.get('browser')
    if (publicId === act.session.publicId) return { problems: [{ code: 'session_own' }] }
    const ended = await context.sessions.end(act.person.id, publicId, context.now())
    if (ended) await note(act, 'sessions_ended', { count: '1' })
    return { done: 'session_ended' }
  })

/** POST /account/security/sessions/others: signs out everywhere else, and takes the apps' access away when wished. */
export const answerSessionsOthers = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form: 'security', page: '/account/security' }, async (act) => {
    const apps = act.form.get('apps') === '1'
    const cookies = await keepKnown(act, () => signOutElsewhere(act, { browsers: true, apps }))
    return { done: apps ? 'others_and_apps_ended' : 'others_ended', cookies }
  })

/** Runs what makes every browser unknown; gives the cookie lines by which this one stays known, if it was. */
export async function keepKnown({ context, request, person }: Act, run: () => Promise<void>): Promise<string[]> {
  const knownVersion = (await context.signIn.knownVersion(person.id)) ?? 0
  const wasKnown = await knownBrowserOf(context, request.headers.get('cookie'), { personId: person.id, knownVersion })
  await run()
  return wasKnown === undefined ? [] : (await rememberBrowser(context, request, person.id)).cookies
}

/** Ends the person's other sessions, and their apps' tokens, as they chose. */
export async function signOutElsewhere(act: Act, chosen: { browsers: boolean; apps: boolean }): Promise<void> {
  const { context, person, session } = act
  const now = context.now()
  const count = chosen.browsers ? await context.sessions.endOthers(person.id, session.id, now) : 0
  const apps = chosen.apps ? await context.sessions.revokeApps(person.id, now) : 0
  if (count + apps > 0)
    await note(act, 'sessions_ended', { count: String(count), ...(apps > 0 && { apps: String(apps) }) })
}

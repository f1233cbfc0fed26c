import { type Act, answerAction, type Outcome } from '#lib/account/account-form'
import { originOf } from '#lib/account/activity/activity'
import { ensureRelayAddress } from '#lib/account/hide-my-email/relay-address'
import { askingAgain, consentMark, decide } from '#lib/oauth/consent/consent'
import { keepConsent } from '#lib/oauth/consent/keep-consent'
import type { Context } from '#lib/server/compose/context'

const form = 'connected-apps'
const page = '/account/apps'

/** The page about one app; a client id may hold any unreserved character. */
export const appPage = (appId: string): string => `${page}/${encodeURIComponent(appId)}`

/** POST /account/sharing/change: what an app may see from now on; every token that may see what is taken back ends at once. */
export const answerAppChange = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form, page }, changeSharing)

/** POST /account/sharing/withdraw: everything an app may see, and every token it holds (design §4). */
export const answerAppWithdrawal = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form, page }, stopSharing)

async function changeSharing(act: Act): Promise<Outcome> {
  const { context, request, person } = act
  const appId = act.form.get('app')
  const to = appPage(appId)
  if (!(await isShownTo(act))) return { problems: [{ code: 'other_account' }], to: page }
  const [client, before] = await Promise.all([
    context.oauth.store.findClient(appId),
    context.consents.findConsent(person.id, appId),
  ])
  // Sharing was stopped in another tab, or the app is gone: the list says what there is.
  if (!client || !before) return { problems: [{ code: 'gone' }], to: page }
  // Another tab took something back meanwhile: this one would give it again unseen.
  if (act.form.get('shown') !== consentMark(before)) return { problems: [{ code: 'meanwhile' }], to }
  const sent = { scopes: act.form.all('scope'), emailChoice: act.form.get('email_choice') }
  const after = decide(askingAgain(client, before), before, sent)
  const another = after.emailChoice !== 'none' && after.emailChoice !== before.emailChoice
  if (another && person.email === undefined) return { problems: [{ field: 'email_choice', code: 'unbound' }], to }
  if (after.emailChoice === 'hidden') await ensureRelayAddress(context, person.id, appId)
  const kept = await keepConsent(context, request, { personId: person.id, client, before, after })
  return kept ? { done: 'changed', to } : { problems: [{ code: 'meanwhile' }], to }
}

async function stopSharing(act: Act): Promise<Outcome> {
  const { context, request, person } = act
  const appId = act.form.get('app')
  if (!(await isShownTo(act))) return { problems: [{ code: 'other_account' }] }
  const connection = await context.connections.findConnection(person.id, appId)
  const now = context.now()
  // The second of two clicks finds nothing to end, and says the same.
  if (await context.consents.withdrawConsent(person.id, appId, now)) {
    const detail = { app: connection?.app.name ?? appId }
    await context.activity.record(person.id, { at: now, kind: 'consent_withdrawn', detail, ...originOf(request) })
  }
  return { done: 'withdrawn' }
}

/** In a browser with several accounts another tab may have changed who is signed in; signing in again as oneself does not. */
const isShownTo = ({ context, form: sent, person }: Act): Promise<boolean> =>
  context.sessions.isOf(person.id, sent.get('session'))

import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import { noteConsent, originOf } from '#lib/account/activity/activity'
import type { AccountContext } from '#lib/account/context'
import type { AliasStore, EmailLimits } from '#lib/account/hide-my-email/store'
import { askingAgain, consentMark, decide, keepConsent, mayHide } from '#lib/oauth/consent/consent'
import type { ConsentStore } from '#lib/oauth/consent/store'
import type { OAuthStore } from '#lib/oauth/store'
import type { ConnectionStore } from './connection.ts'

type ConnectedAppsContext = AccountContext & {
  config: { offersRelay: boolean }
  oauth: { store: Pick<OAuthStore, 'findClient' | 'findApis'> }
  consents: ConsentStore
  connections: ConnectionStore
  aliases: AliasStore
  emailLimits: Pick<EmailLimits, 'changes'>
}

const form = 'connected-apps'
const page = '/account/apps'

/** Returns the page about one app. Encodes the id, because a form can send any text as an id. */
export const appPage = (appId: string): string => `${page}/${encodeURIComponent(appId)}`

/** POST /account/sharing/change: changes what an app may see, and revokes every token that holds a lost scope. */
export const answerAppChange = (context: ConnectedAppsContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form, page }, changeSharing)

/** POST /account/sharing/withdraw: withdraws the consent, and revokes every token of the app (design §4). */
export const answerAppWithdrawal = (context: ConnectedAppsContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form, page }, stopSharing)

async function changeSharing(submission: Submission<ConnectedAppsContext>): Promise<Outcome> {
  const { context, request, form: sent, person } = submission
  const appId = sent.get('app')
  const to = appPage(appId)
  const [client, before] = await Promise.all([
    context.oauth.store.findClient(appId),
    context.consents.findConsent(person.id, appId),
  ])
  // Another tab stopped sharing, or the app is gone: leads to the list of apps.
  if (!client || !before) return { problems: [{ code: 'gone' }], to: page }
  // A stale form must not grant again what another tab has taken back.
  if (sent.get('shown') !== consentMark(before)) return { problems: [{ code: 'meanwhile' }], to }
  const chosen = { scopes: sent.all('scope'), emailChoice: sent.get('email_choice') }
  if (chosen.emailChoice === 'hidden' && !mayHide(context.config, before))
    return { problems: [{ code: 'meanwhile' }], to }
  const apis = await context.oauth.store.findApis(client.teamId)
  const after = decide(askingAgain(client, before, apis), before, chosen)
  const newChoice = after.emailChoice !== 'none' && after.emailChoice !== before.emailChoice
  if (newChoice && person.email === undefined) return { problems: [{ field: 'email_choice', code: 'unbound' }], to }
  // From regular to hidden, the app sees less.
  const wait = newChoice && before.emailChoice !== 'regular' ? await context.emailLimits.changes.fail(person.id) : 0
  if (wait > 0) return { problems: [{ code: 'too_many', wait: Math.ceil(wait / 60) }], to }
  if (after.emailChoice === 'hidden') await context.aliases.ensureAddress(person.id, appId, context.now())
  const decision = { personId: person.id, client, before, after }
  const change = await keepConsent(context, decision)
  if (!change) return { problems: [{ code: 'meanwhile' }], to }
  await noteConsent(context, request, decision, change)
  return { done: 'changed', to }
}

async function stopSharing(submission: Submission<ConnectedAppsContext>): Promise<Outcome> {
  const { context, request, form: sent, person } = submission
  const appId = sent.get('app')
  const connection = await context.connections.findConnection(person.id, appId)
  const now = context.now()
  // On a double submit the second request withdraws nothing, and shows the same result.
  if (await context.consents.withdrawConsent(person.id, appId, now)) {
    const detail = { app: connection?.app.name ?? appId }
    await context.activity.record(person.id, { at: now, kind: 'consent_withdrawn', detail, ...originOf(request) })
  }
  return { done: 'withdrawn' }
}

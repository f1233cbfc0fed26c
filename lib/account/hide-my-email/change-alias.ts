import { type Act, answerAction, type Outcome } from '#lib/account/account-form'
import { note } from '#lib/account/tell-owner'
import { consentMark, withEmail } from '#lib/oauth/consent/consent'
import { keepConsent } from '#lib/oauth/consent/keep-consent'
import type { OwnAlias } from '#lib/relay/store'
import type { Context } from '#lib/server/compose/context'
import { aliasState } from './alias-state.ts'

const form = 'hide-my-email'
const page = '/account/hide-my-email'

/** The page about one relay address. */
export const aliasPage = (name: string): string => `${page}/${encodeURIComponent(name)}`

/** POST /account/hide-my-email/switch: mail to a relay address is refused from now on, or passed on again. */
export const answerAliasSwitch = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form, page }, (act) => withAlias(act, switchAlias))

/** POST /account/hide-my-email/choice: which address the app is given from now on, the regular or the hidden one. */
export const answerAliasChoice = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form, page }, (act) => withAlias(act, chooseAddress))

/** POST /account/hide-my-email/test: a message that goes the way an app's mail goes. */
export const answerAliasTest = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form, page }, (act) => withAlias(act, sendTest))

/** The form's own relay address, if it is still the person's whose page it was. */
async function withAlias(act: Act, run: (act: Act, alias: OwnAlias) => Promise<Outcome>): Promise<Outcome> {
  const { context, form: sent, person, session } = act
  // In a browser with several accounts another tab may have changed who is signed in.
  if (sent.get('session') !== session.publicId) return { problems: [{ code: 'other_account' }] }
  const alias = await context.hideMyEmail.findOwnAlias(person.id, sent.get('alias'))
  if (!alias) return { problems: [{ code: 'gone' }] }
  return { to: aliasPage(alias.name), ...(await run(act, alias)) }
}

async function switchAlias(act: Act, { name, app }: OwnAlias): Promise<Outcome> {
  const { context, person } = act
  const { hideMyEmail } = context
  const on = act.form.get('to') === 'on'
  const changed = on
    ? await hideMyEmail.switchOn(person.id, name)
    : await hideMyEmail.switchOff(person.id, name, context.now())
  // The second of two clicks changes nothing, and says the same.
  if (changed) await note(act, on ? 'alias_on' : 'alias_off', { ...(app && { app: app.name }) })
  return { done: on ? 'on' : 'off' }
}

async function chooseAddress(act: Act, { app }: OwnAlias): Promise<Outcome> {
  const { context, request, person } = act
  const before = app && (await context.consents.findConsent(person.id, app.id))
  // Only the form in which an address is given changes here; whether one is given is decided on the app's page.
  if (!app || !before || before.emailChoice === 'none') return { problems: [{ code: 'not_shared' }] }
  if (act.form.get('shown') !== consentMark(before)) return { problems: [{ code: 'meanwhile' }] }
  if (person.email === undefined) return { problems: [{ code: 'unbound' }] }
  const choice = act.form.get('email_choice') === 'regular' ? 'regular' : 'hidden'
  const after = withEmail(before, choice)
  const kept = await keepConsent(context, request, { personId: person.id, client: app, before, after })
  return kept ? { done: choice } : { problems: [{ code: 'meanwhile' }] }
}

async function sendTest({ context, person }: Act, alias: OwnAlias): Promise<Outcome> {
  if (aliasState(alias, person).kind !== 'on') return { problems: [{ code: 'test_closed' }] }
  const wait = await context.emailLimits.tests.fail(person.id)
  if (wait > 0) return { problems: [{ code: 'test_too_many', wait: Math.ceil(wait / 60) }] }
  const answer = await context.sendTestMail(alias.name)
  return answer === 'sent' ? { done: 'test_sent' } : { problems: [{ code: `test_${answer}` }] }
}

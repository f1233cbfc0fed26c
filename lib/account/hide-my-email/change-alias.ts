import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import { noteConsent } from '#lib/account/activity/activity'
import type { AccountContext } from '#lib/account/context'
import { noteActivity } from '#lib/account/notify-owner'
import { pathWith } from '#lib/http/redirect'
import { consentMark, keepConsent, mayHide, withEmail } from '#lib/oauth/consent/consent'
import type { ConsentStore } from '#lib/oauth/consent/store'
import { aliasState } from './alias-state.ts'
import { readAliasWords } from './alias-words.ts'
import { searchLimit } from './search-aliases.ts'
import type { ByHandStore, EmailLimits, OwnAlias, OwnAliasStore, RelayTest } from './store.ts'

type HideMyEmailContext = AccountContext & {
  config: { offersRelay: boolean }
  hideMyEmail: OwnAliasStore
  byHand: ByHandStore
  consents: ConsentStore
  emailLimits: EmailLimits
  sendTestMail: RelayTest
}
type Change = Submission<HideMyEmailContext>

const form = 'hide-my-email'
const page = '/account/hide-my-email'

/** Returns the path of the list of relay addresses, with a search. */
const aliasList = (search: string): string => pathWith(page, { q: search.trim().slice(0, searchLimit) || undefined })

/** Returns the path of the page about one relay address. */
export const aliasPage = (name: string): string => `${page}/${encodeURIComponent(name)}`

/** POST /account/hide-my-email/switch: makes the relay refuse or forward the mail to a relay address. */
export const answerAliasSwitch = (context: HideMyEmailContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form, page }, (change) => withAlias(change, switchAlias))

/** POST /account/hide-my-email/describe: stores the person's own words for a relay address. */
export const answerAliasWords = (context: HideMyEmailContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form, page }, (change) => withAlias(change, describeAlias))

/** POST /account/hide-my-email/choice: gives the app the regular or the hidden address. */
export const answerAliasChoice = (context: HideMyEmailContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form, page }, (change) => withAlias(change, chooseAddress))

/** POST /account/hide-my-email/test: sends a test message on the path that an app's mail takes. */
export const answerAliasTest = (context: HideMyEmailContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form, page }, (change) => withAlias(change, sendTest))

/** POST /account/hide-my-email/delete: deletes an address made by hand, for good. */
export const answerAliasDeletion = (context: HideMyEmailContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form, page }, (change) => withAlias(change, deleteAlias))

/** Finds the relay address of the form. */
async function withAlias(change: Change, run: (change: Change, alias: OwnAlias) => Promise<Outcome>): Promise<Outcome> {
  const { context, form: sent, person } = change
  const alias = await context.hideMyEmail.findOwnAlias(person.id, sent.get('alias'))
  if (!alias) return { problems: [{ code: 'gone' }] }
  return { to: aliasPage(alias.name), ...(await run(change, alias)) }
}

async function switchAlias(change: Change, alias: OwnAlias): Promise<Outcome> {
  const { context, person } = change
  const { name } = alias
  const { hideMyEmail } = context
  const on = change.form.get('to') === 'on'
  const wait = on ? await context.emailLimits.changes.fail(person.id) : 0
  if (wait > 0) return { ...tooMany(wait), ...placeOfSwitch(change) }
  const changed = on
    ? await hideMyEmail.switchOn(person.id, name, context.now())
    : await hideMyEmail.switchOff(person.id, name, context.now())
  // On a double submit the second request changes nothing, and shows the same result.
  if (changed) await noteActivity(change, on ? 'alias_on' : 'alias_off', purposeOf(alias))
  return { done: on ? 'on' : 'off', ...placeOfSwitch(change) }
}

/** Names what the address is for: its app, or the label of an address made by hand. */
const purposeOf = ({ app, byHand, label }: OwnAlias): Record<string, string> => ({
  ...(app && { app: app.name }),
  ...(byHand && { label }),
})

/** An app's address stays: the app may ask for it again. */
async function deleteAlias(change: Change, alias: OwnAlias): Promise<Outcome> {
  const { context, person } = change
  if (!alias.byHand) return { problems: [{ code: 'not_by_hand' }] }
  if (!(await context.byHand.remove(person.id, alias.name, context.now())))
    return { problems: [{ code: 'gone' }], to: page }
  await noteActivity(change, 'alias_deleted', purposeOf(alias))
  return { done: 'deleted', to: page }
}

/** A switch in the list leads back to the list, with its search. */
function placeOfSwitch({ form: sent }: Change): { to?: string } {
  return sent.get('from') === 'list' ? { to: aliasList(sent.get('q')) } : {}
}

async function describeAlias({ context, form: sent, person }: Change, { name, byHand }: OwnAlias): Promise<Outcome> {
  const { words, problems } = readAliasWords(sent.get('label'), sent.get('note'), byHand)
  if (problems.length > 0)
    return { problems, kept: { label: sent.get('label').slice(0, 200), note: sent.get('note').slice(0, 1000) } }
  return (await context.hideMyEmail.describe(person.id, name, words))
    ? { done: 'described' }
    : { problems: [{ code: 'gone' }], to: page }
}

async function chooseAddress({ context, request, form: sent, person }: Change, { app }: OwnAlias): Promise<Outcome> {
  const before = app && (await context.consents.findConsent(person.id, app.id))
  // This form only switches between regular and hidden; the app's page decides whether an address is shared.
  if (!app || !before || before.emailChoice === 'none') return { problems: [{ code: 'not_shared' }] }
  if (sent.get('shown') !== consentMark(before)) return { problems: [{ code: 'meanwhile' }] }
  if (person.email === undefined) return { problems: [{ code: 'unbound' }] }
  const choice = sent.get('email_choice') === 'regular' ? 'regular' : 'hidden'
  if (choice === 'hidden' && !mayHide(context.config, before)) return { problems: [{ code: 'meanwhile' }] }
  const wait = choice === 'regular' ? await context.emailLimits.changes.fail(person.id) : 0
  if (wait > 0) return tooMany(wait)
  const decision = { personId: person.id, client: app, before, after: withEmail(before, choice) }
  const change = await keepConsent(context, decision)
  if (!change) return { problems: [{ code: 'meanwhile' }] }
  await noteConsent(context, request, decision, change)
  return { done: choice }
}

const tooMany = (wait: number): Outcome => ({ problems: [{ code: 'too_many', wait: Math.ceil(wait / 60) }] })

async function sendTest({ context, person }: Change, alias: OwnAlias): Promise<Outcome> {
  if (aliasState(alias, person).kind !== 'on') return { problems: [{ code: 'test_closed' }] }
  const wait = await context.emailLimits.tests.fail(person.id)
  if (wait > 0) return { problems: [{ code: 'test_too_many', wait: Math.ceil(wait / 60) }] }
  const answer = await context.sendTestMail(alias.name)
  return answer === 'sent' ? { done: 'test_sent' } : { problems: [{ code: `test_${answer}` }] }
}

import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import type { AccountContext } from '#lib/account/context'
import { noteActivity } from '#lib/account/notify-owner'
import { readAliasWords } from './alias-words.ts'
import { aliasPage } from './change-alias.ts'
import type { ByHandStore, EmailLimits, Made, OwnAlias, OwnAliasStore } from './store.ts'

type MakeContext = AccountContext & {
  config: { offersRelay: boolean; mostByHand: number }
  hideMyEmail: Pick<OwnAliasStore, 'listAliases'>
  byHand: Pick<ByHandStore, 'find' | 'make'>
  emailLimits: Pick<EmailLimits, 'byHand'>
}

const page = '/account/hide-my-email/new'

/** POST /account/hide-my-email/make: makes a relay address for a site that is no app. */
export const answerAliasMaking = (context: MakeContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'hide-my-email', page }, makeAlias)

/** Returns how many of the addresses were made by hand. */
export const countByHand = (aliases: OwnAlias[]): number => aliases.filter(({ byHand }) => byHand).length

async function makeAlias(submission: Submission<MakeContext>): Promise<Outcome> {
  const { context, form: sent, person } = submission
  const kept = { label: sent.get('label').slice(0, 200) }
  // A form without the key of its page makes an address of its own each time.
  const key = sent.get('key').slice(0, 100)
  // On a double submit the second request makes nothing, counts nothing, and shows the same result.
  const earlier = await context.byHand.find(person.id, key)
  if (earlier) return answerMade(earlier, kept)
  const refusal = await refusalOf(context, person)
  if (refusal) return { problems: [refusal], kept }
  const { words, problems } = readAliasWords(sent.get('label'), '', true)
  if (problems.length > 0) return { problems, kept }
  const wait = await context.emailLimits.byHand.fail(person.id)
  if (wait > 0) return { problems: [{ code: 'made_too_many', wait: Math.ceil(wait / 3600) }], kept }
  const made = await context.byHand.make(person.id, { key, ...words }, context.config.mostByHand, context.now())
  if (typeof made === 'object' && made.isNew) await noteActivity(submission, 'alias_made', { label: words.label })
  else await context.emailLimits.byHand.giveBack(person.id)
  return answerMade(made, kept)
}

const answerMade = (made: Made, kept: { label: string }): Outcome =>
  typeof made === 'string' ? { problems: [{ code: made }], kept } : { done: 'made', to: aliasPage(made.name) }

/** Says why the person can make no address now; before the daily count, so that a refusal does not use it up. */
async function refusalOf({ config, hideMyEmail }: MakeContext, person: { id: string; email: string | undefined }) {
  if (!config.offersRelay || config.mostByHand === 0) return { code: 'not_offered' }
  if (person.email === undefined) return { code: 'unbound_by_hand' }
  const count = countByHand(await hideMyEmail.listAliases(person.id))
  return count >= config.mostByHand ? { code: 'enough' } : undefined
}

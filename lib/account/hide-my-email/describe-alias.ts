import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import type { AccountContext } from '#lib/account/context'
import { characters, longText, plainText } from '#lib/text/text-rules'
import { aliasPage } from './change-alias.ts'
import type { OwnAliasStore } from './store.ts'

type WordsContext = AccountContext & { hideMyEmail: Pick<OwnAliasStore, 'describe'> }

/** The most characters of the owner's words for a relay address. */
export const wordLimits = { label: 60, note: 500 }

const rules = { label: plainText(0, wordLimits.label), note: longText(wordLimits.note) }

/** POST /account/hide-my-email/words: stores the label and the note of a relay address, which only its owner sees. */
export const answerAliasWords = (context: WordsContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'alias-words', page: '/account/hide-my-email' }, storeWords)

async function storeWords({ context, form, person, session }: Submission<WordsContext>): Promise<Outcome> {
  // In a browser with several accounts, another tab may have switched accounts.
  if (form.get('session') !== session.publicId) return { problems: [{ code: 'other_account' }] }
  const name = form.get('alias')
  const typed = { label: form.get('label').trim(), note: form.get('note').replace(/\r\n?/g, '\n').trim() }
  const problems = (['label', 'note'] as const).flatMap((field) => {
    if (rules[field].safeParse(typed[field]).success) return []
    const code = characters(typed[field]) > wordLimits[field] ? `${field}_long` : `${field}_characters`
    return [{ field, code }]
  })
  if (problems.length > 0) return { to: aliasPage(name), problems, kept: typed }
  const isOwn = await context.hideMyEmail.describe(person.id, name, typed)
  return isOwn ? { to: aliasPage(name), done: 'words' } : { problems: [{ code: 'gone' }] }
}

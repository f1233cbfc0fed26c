import { answerAccountForm } from '#lib/account/account-form'
import type { Recorded } from '#lib/account/activity/recorded'
import type { AdminContext } from '#lib/admin/context'
import { sha256 } from '#lib/crypto/hash'
import { goAndSay } from '#lib/http/flash'
import { receiveForm } from '#lib/http/form'
import { pathWith } from '#lib/http/redirect'
import type { PersonChange, PersonView } from './store.ts'

/** The hours in which a person can cancel a reset of their factors. */
export const resetHours = 24

/** The page of the link in the letter. It needs no sign-in. */
const keepFactorsPage = '/keep-factors'

/** Returns the stored hash of the secret in a letter. */
export const cancelHashOf = (key: string): string => sha256(`factor reset ${key}`)

/** Starts the wait before a reset, and writes the letter with the link that cancels it. */
export async function askReset(
  { factorResets, letters, random, config }: AdminContext,
  { id, email, username, locale }: PersonView,
  recorded: Recorded,
): Promise<PersonChange> {
  const key = random(32).toString('base64url')
  const dueAt = new Date(recorded.at.getTime() + resetHours * 3_600_000)
  const change = await factorResets.ask(id, { cancelHash: cancelHashOf(key), dueAt }, recorded)
  const link = `${config.accountUrl}${pathWith(keepFactorsPage, { key })}`
  if (change === 'changed')
    void letters.factorResetAsked({ to: email ?? undefined, username, locale, until: dueAt, link })
  return change
}

type OwnContext = Pick<AdminContext, 'factorResets'>

/** POST /keep-factors/submit: cancels a reset by the link in the letter, in any browser. */
export async function answerKeepByLink(context: AdminContext, request: Request): Promise<Response> {
  const form = await receiveForm(context, request, 'token')
  if (form instanceof Response) return form
  const key = form.get('key').slice(0, 100)
  const isKept = await context.factorResets.keepFactors({ cancelHash: cancelHashOf(key) }, context.now())
  const result = isKept ? { done: 'kept', problems: [] } : { problems: [{ code: 'over' }] }
  return goAndSay(context, request, pathWith(keepFactorsPage, { key }), { form: 'keep-factors', kept: {}, ...result })
}

/** POST /account/security/keep-factors: cancels a reset from the account pages. */
export const answerKeepFactors = (context: AdminContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'security', page: '/account/security' }, async ({ person }) => {
    const { factorResets }: OwnContext = context
    const isKept = await factorResets.keepFactors({ personId: person.id }, context.now())
    return isKept ? { done: 'factors_kept' } : { problems: [{ code: 'no_reset' }] }
  })

import { answerAccountForm, type Submission } from '#lib/account/account-form'
import { notifyFactorChange } from '#lib/account/notify-owner'
import type { FactorContext } from '#lib/sign-in/context'
import { plainText } from '#lib/text/text-rules'
import { checkRegistration } from './passkey.ts'
import { type ChallengeContext, openChallenge, spendChallenge } from './passkey-challenge.ts'
import { deviceName, numberName } from './passkey-name.ts'

const about = { form: 'passkeys', page: '/account/security/passkeys', fresh: true }
const nameRule = plainText(1, 60)

/** POST /account/security/passkeys/add: stores a credential that the page's script has made. */
export const answerPasskeyAdd = (context: FactorContext & ChallengeContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, about, async (submission) => {
    const problem = await addPasskey(submission)
    return problem ? { problems: [{ code: problem }] } : { done: 'passkey_added' }
  })

/** Stores a new passkey and tells its owner; returns the code of a problem instead. */
export async function addPasskey(
  submission: Submission<FactorContext & ChallengeContext>,
): Promise<'passkey_expired' | 'passkey_refused' | 'passkey_not_added' | undefined> {
  const { context, request, form, person } = submission
  const challenge = await openChallenge(context, request, form.get('state'), 'add')
  if (challenge?.personId !== person.id) return 'passkey_expired'
  const passkey = await checkRegistration(context.config, challenge.challenge, form.get('credential'))
  if (!passkey || !(await spendChallenge(context, challenge))) return 'passkey_refused'
  const { passkeys } = await context.factors.ways(person.id)
  const taken = passkeys.map((one) => one.name)
  const name = numberName(deviceName(request), taken)
  const added = await context.factors.addPasskey(person.id, { ...passkey, name }, context.now())
  if (!added) return 'passkey_not_added'
  await notifyFactorChange(submission, 'passkey_added', { name })
  return undefined
}

/** POST /account/security/passkeys/rename: renames a passkey. */
export const answerPasskeyRename = (context: FactorContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, about, async ({ form, person }) => {
    const [id, name] = [form.get('passkey'), nameRule.safeParse(form.get('name'))]
    if (!name.success) return { problems: [{ field: `name-${id}`.slice(0, 1500), code: 'name' }] }
    const renamed = await context.factors.renamePasskey(person.id, id, name.data)
    return renamed ? { done: 'passkey_renamed' } : { problems: [{ code: 'passkey_gone' }] }
  })

/** POST /account/security/passkeys/remove: removes a passkey, unless it is the last way to sign in. */
export const answerPasskeyRemove = (context: FactorContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, about, async (submission) => {
    const { form, person } = submission
    const id = form.get('passkey')
    const { passkeys } = await context.factors.ways(person.id)
    const outcome = await context.factors.removePasskey(person.id, id, context.now())
    if (outcome !== 'removed') return { problems: [{ code: outcome === 'gone' ? 'passkey_gone' : 'last_way' }] }
    const name = passkeys.find((passkey) => passkey.id === id)?.name ?? ''
    await notifyFactorChange(submission, 'passkey_removed', { name })
    return { done: 'passkey_removed' }
  })

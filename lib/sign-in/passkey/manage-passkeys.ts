import { answerAccountForm } from '#lib/account/account-form'
import { notifyFactorChange } from '#lib/account/notify-owner'
import type { Context } from '#lib/server/compose/context'
import { plainText } from '#lib/text/text-rules'
import { numberName } from './number-name.ts'
import { checkRegistration } from './passkey.ts'
import { openChallenge, spendChallenge } from './passkey-challenge.ts'
import { deviceName } from './passkey-name.ts'

const about = { form: 'passkeys', page: '/account/security/passkeys', fresh: true }
const nameRule = plainText(1, 60)

/** POST /account/security/passkeys/add: a credential that the page's script has made. */
export const answerPasskeyAdd = (context: Context, request: Request): Promise<Response> =>
  answerAccountForm(context, request, about, async (act) => {
    const told = await openChallenge(context, request, act.form.get('state'), 'add')
    if (told?.personId !== act.person.id) return { problems: [{ code: 'passkey_expired' }] }
    const passkey = await checkRegistration(context.config, told.challenge, act.form.get('credential'))
    if (!passkey || !(await spendChallenge(context, told))) return { problems: [{ code: 'passkey_refused' }] }
    const { passkeys } = await context.factors.ways(act.person.id)
    const name = numberName(
      deviceName(request),
      passkeys.map((one) => one.name),
    )
    const added = await context.factors.addPasskey(act.person.id, { ...passkey, name }, context.now())
    if (!added) return { problems: [{ code: 'passkey_not_added' }] }
    await notifyFactorChange(act, 'passkey_added', { name })
    return { done: 'passkey_added' }
  })

/** POST /account/security/passkeys/rename: what its owner calls it. */
export const answerPasskeyRename = (context: Context, request: Request): Promise<Response> =>
  answerAccountForm(context, request, about, async ({ form, person }) => {
    const [id, name] = [form.get('passkey'), nameRule.safeParse(form.get('name'))]
    if (!name.success) return { problems: [{ field: `name-${id}`.slice(0, 1500), code: 'name' }] }
    const renamed = await context.factors.renamePasskey(person.id, id, name.data)
    return renamed ? { done: 'passkey_renamed' } : { problems: [{ code: 'passkey_gone' }] }
  })

/** POST /account/security/passkeys/remove: never the last way to sign in. */
export const answerPasskeyRemove = (context: Context, request: Request): Promise<Response> =>
  answerAccountForm(context, request, about, async (act) => {
    const id = act.form.get('passkey')
    const { passkeys } = await context.factors.ways(act.person.id)
    const outcome = await context.factors.removePasskey(act.person.id, id)
    if (outcome !== 'removed') return { problems: [{ code: outcome === 'gone' ? 'passkey_gone' : 'last_way' }] }
    await notifyFactorChange(act, 'passkey_removed', {
      name: passkeys.find((passkey) => passkey.id === id)?.name ?? '',
    })
    return { done: 'passkey_removed' }
  })

import { type Act, answerAction, type Outcome } from '#lib/account/account-form'
import { originOf } from '#lib/account/activity/activity'
import { happening } from '#lib/account/activity/happening'
import type { Context } from '#lib/server/compose/context'
import { proveAddress, readAddress, sendBindingCode } from './prove-address.ts'

/** Where the forms of the e-mail pages stand. */
const pages = {
  email: '/account/email',
  change: '/account/email/change',
  code: '/account/email/code',
  remove: '/account/email/remove',
}

/** POST /account/email/submit: the address to bind, or to bind in place of another; a code proves it (spec §2.7). */
export const answerNewAddress = (context: Context, request: Request): Promise<Response> =>
  answerAction(
    context,
    request,
    { form: 'email-change', page: pages.change, fresh: true, keeps: { address: 'address' } },
    askForCode,
  )

/** POST /account/email/verify: the code from the letter; the address before is told. */
export const answerAddressCode = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form: 'email-code', page: pages.code, fresh: true }, async (act) => {
    const problem = await proveAddress(context, { current: act, request }, act.form.get('code'))
    if (problem) return { problems: [problem] }
    return { done: act.person.email === undefined ? 'bound' : 'changed', to: pages.email }
  })

/** POST /account/email/resend: a new code to the same address. */
export const answerAddressResend = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form: 'email-code', page: pages.code, fresh: true }, async (act) => {
    const last = await context.emails.findCode(act.person.id, 'bind')
    if (!last) return { problems: [], to: pages.change }
    const problem = await sendBindingCode(context, { current: act, request }, last.address)
    return problem ? { problems: [problem] } : { done: 'resent' }
  })

/** POST /account/email/remove/submit: the account goes without an address, unless an app relies on it. */
export const answerAddressRemoval = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form: 'email-remove', page: pages.remove, fresh: true }, async ({ person }) => {
    if (person.email === undefined) return { done: 'removed', to: pages.email }
    const at = context.now()
    // The page says which apps stand in the way.
    if (!(await context.emails.removeAddress(person.id, person.email, at))) return { problems: [] }
    await context.activity.record(person.id, { at, kind: 'email_removed', detail: {}, ...originOf(request) })
    const { email: to, username, locale } = person
    void context.letters.addressRemoved({ to, username, locale, ...happening(context, request) })
    return { done: 'removed', to: pages.email }
  })

async function askForCode(act: Act): Promise<Outcome> {
  const { context, request, form, person } = act
  const typed = form.get('address')
  const again = (problem: { field?: string; code: string }) => ({ problems: [problem], kept: { address: typed } })
  const read = readAddress(context, typed)
  if ('problem' in read) return again(read.problem)
  if (read.address === person.email) return again({ field: 'address', code: 'address_same' })
  const problem = await sendBindingCode(context, { current: act, request }, read.address)
  if (!problem) return { done: 'sent', to: pages.code }
  const last = await context.emails.findCode(person.id, 'bind')
  const underway = problem.code === 'wait' && last?.hash !== '' && last?.address === read.address
  return underway ? { done: 'sent', to: pages.code } : again(problem)
}

import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import { originOf } from '#lib/account/activity/activity'
import { describeEvent } from '#lib/account/activity/describe-event'
import { ownerOf } from '#lib/account/notify-owner'
import type { PageForm } from '#lib/http/form'
import { bindAddress, readAddress } from './bind-address.ts'
import { type EmailContext, type EmailProblem, sendEmailCode } from './email-code-flow.ts'
import { makeUndo } from './undo.ts'

type ChangeContext = EmailContext & { config: { relayDomain: string } }

const pages = {
  email: '/account/email',
  change: '/account/email/change',
  code: '/account/email/code',
  remove: '/account/email/remove',
}

/** POST /account/email/submit: sends a code to the address to bind (spec §2.7). */
export const answerNewAddress = (context: ChangeContext, request: Request): Promise<Response> =>
  answerAccountForm(
    context,
    request,
    { form: 'email-change', page: pages.change, fresh: true, keeps: { address: 'address' } },
    askForCode,
  )

/** POST /account/email/verify: checks the code and binds the address; the previous address gets a letter. */
export const answerAddressCode = (context: ChangeContext, request: Request): Promise<Response> =>
  answerAccountForm(
    context,
    request,
    { form: 'email-code', page: pages.code, fresh: true },
    async ({ form, person, session }): Promise<Outcome> => {
      const isInboxLost = isLostIn(form)
      const proof = { current: { person, session }, typed: form.get('code'), isInboxLost }
      const problem = await bindAddress(context, request, proof)
      if (problem) return { problems: [problem], kept: lostAgain(form) }
      if (person.email === undefined) return { done: 'bound', to: pages.email }
      return { done: isInboxLost ? 'changed_for_good' : 'changed', to: pages.email }
    },
  )

/** POST /account/email/resend: sends a new code to the same address. */
export const answerAddressResend = (context: ChangeContext, request: Request): Promise<Response> =>
  answerAccountForm(
    context,
    request,
    { form: 'email-code', page: pages.code, fresh: true },
    async ({ form, person }): Promise<Outcome> => {
      const last = await context.emails.findCode(person.id, 'bind')
      if (!last) return { problems: [], to: pages.change }
      const asked = { person, purpose: 'bind', address: last.address, again: true } as const
      const problem = await sendEmailCode(context, request, asked)
      const kept = lostAgain(form)
      return problem ? { problems: [problem], kept } : { done: 'resent', kept }
    },
  )

/** POST /account/email/remove/submit: removes the address, unless an app relies on it. */
export const answerAddressRemoval = (context: ChangeContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'email-remove', page: pages.remove, fresh: true }, removeAddress)

async function removeAddress({ context, request, form, person, session }: Submission<ChangeContext>): Promise<Outcome> {
  if (person.email === undefined) return { done: 'removed', to: pages.email }
  const at = context.now()
  const isInboxLost = isLostIn(form)
  const { undo, letter } = makeUndo(context, { sessionId: session.id, isInboxLost })
  // Returns no problem for the form, because the page itself names the apps that rely on the address.
  if (!(await context.emails.removeAddress(person.id, { address: person.email, now: at, undo })))
    return { problems: [], kept: lostAgain(form) }
  await context.activity.record(person.id, { at, kind: 'email_removed', detail: {}, ...originOf(request) })
  void context.letters.addressRemoved({ ...ownerOf(person), ...describeEvent(context, request), undo: letter })
  return { done: isInboxLost ? 'removed_for_good' : 'removed', to: pages.email }
}

/** Whether the person ticked that they can no longer read mail at the previous address. */
const isLostIn = (form: PageForm): boolean => form.get('lost') === '1'

/** Keeps the tick for the page that shows the form again. */
const lostAgain = (form: PageForm): Record<string, string> => (isLostIn(form) ? { lost: '1' } : {})

async function askForCode({ context, request, form, person }: Submission<ChangeContext>): Promise<Outcome> {
  const typed = form.get('address')
  const refuse = (problem: EmailProblem) => ({ problems: [problem], kept: { address: typed } })
  const read = readAddress(context, typed)
  if ('problem' in read) return refuse(read.problem)
  if (read.address === person.email) return refuse({ field: 'address', code: 'address_same' })
  const problem = await sendEmailCode(context, request, { person, purpose: 'bind', address: read.address })
  return problem ? refuse(problem) : { done: 'sent', to: pages.code }
}

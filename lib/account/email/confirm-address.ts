import { answerAccountForm, type Outcome } from '#lib/account/account-form'
import { noteActivity } from '#lib/account/notify-owner'
import { checkEmailCode, type EmailContext, sendEmailCode, spentCode } from './email-code-flow.ts'

const form = 'email-confirm'
const page = '/account/email/confirm'
const after = '/account/email'

/** POST /account/email/confirm/send: sends a code to the bound address, whose mail bounced (relay §7). */
export const answerConfirmationSend = (context: EmailContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form, page }, async ({ form: sent, person }): Promise<Outcome> => {
    if (person.email === undefined || !person.mailPausedAt) return { problems: [], to: after }
    const again = sent.get('again') !== ''
    const problem = await sendEmailCode(context, request, { person, purpose: 'confirm', address: person.email, again })
    return problem ? { problems: [problem] } : { done: again ? 'resent' : 'sent' }
  })

/** POST /account/email/confirm/verify: checks the code; forwarding resumes. */
export const answerConfirmation = (context: EmailContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form, page }, async (submission): Promise<Outcome> => {
    const { form: sent, person } = submission
    if (!person.mailPausedAt) return { problems: [], to: after }
    const checked = await checkEmailCode(context, { person, purpose: 'confirm', typed: sent.get('code') })
    if ('problem' in checked) return { problems: [checked.problem] }
    // Confirms nothing when another address was bound since the code was sent.
    if (!(await context.emails.confirmAddress(person.id, checked.address))) return { problems: [spentCode] }
    await noteActivity(submission, 'mail_confirmed')
    return { done: 'confirmed', to: after }
  })

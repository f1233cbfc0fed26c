import { type Act, answerAction, type Outcome } from '#lib/account/account-form'
import { note, ownerOf } from '#lib/account/tell-owner'
import type { Context } from '#lib/server/compose/context'
import { checkCode, codeMinutes, issueCode, readCode, secondsToWait } from './email-code.ts'
import { beginConfirmationLetter } from './letter-try.ts'
import { type AddressProblem, waitProblem } from './prove-address.ts'

const form = 'email-confirm'
const page = '/account/email/confirm'
const after = '/account/email'

/** POST /account/email/confirm/send: a code to the bound address, whose mail came back (relay §7). */
export const answerConfirmationSend = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form, page }, async (act): Promise<Outcome> => {
    const { email, mailPausedAt } = act.person
    if (email === undefined || !mailPausedAt) return { problems: [], to: after }
    const again = act.form.get('again') !== ''
    const problem = await sendCode(act, email)
    if (!problem) return { done: again ? 'resent' : 'sent' }
    // Back and forth between the pages: the code is on its way already.
    const last = await context.emails.findCode(act.person.id, 'confirm')
    const underway = problem.code === 'wait' && last?.hash !== '' && last?.address === email
    return underway && !again ? { done: 'sent' } : { problems: [problem] }
  })

/** POST /account/email/confirm/verify: the code from the letter; what apps write is passed on again. */
export const answerConfirmation = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form, page }, async (act): Promise<Outcome> => {
    const { person } = act
    if (!person.mailPausedAt) return { problems: [], to: after }
    const problem = (code: string, more = {}) => ({ problems: [{ field: 'code', code, ...more }] })
    const typed = readCode(act.form.get('code'))
    if (typed === undefined) return problem('code_missing')
    const now = context.now()
    const checked = await checkCode(context.emails, { personId: person.id, purpose: 'confirm', now, typed })
    if (checked.kind === 'wrong') return problem('code_wrong', { left: checked.left })
    // Another address may have been bound meanwhile: this code says nothing about that one.
    if (checked.kind === 'spent' || !(await context.emails.confirmAddress(person.id, checked.address)))
      return problem('code_spent')
    await note(act, 'mail_confirmed')
    return { done: 'confirmed', to: after }
  })

/** Sends the code; answers what keeps the letter from leaving. */
async function sendCode({ context, person }: Act, address: string): Promise<AddressProblem | undefined> {
  const { emails, letters, now, random } = context
  const last = await emails.findCode(person.id, 'confirm')
  const seconds = last ? secondsToWait(last, now()) : 0
  if (seconds > 0) return waitProblem(seconds)
  const letter = await beginConfirmationLetter(context, person.id)
  if (letter.wait() > 0) return waitProblem(letter.wait())
  const about = { personId: person.id, purpose: 'confirm', now: now(), address, random } as const
  const issued = await letter.look(() => issueCode(emails, about))
  if (issued.kind === 'wait') return waitProblem(issued.seconds)
  const sent = await letters.codeToConfirm({ ...ownerOf(person), to: address, code: issued.code, minutes: codeMinutes })
  return sent ? undefined : { code: 'not_sent' }
}

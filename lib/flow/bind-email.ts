import { bindAddress, readAddress } from '#lib/account/email/bind-address'
import { type EmailContext, sendEmailCode } from '#lib/account/email/email-code-flow'
import { type Flash, goAndSay } from '#lib/http/flash'
import type { PageForm } from '#lib/http/form'
import { goTo, pathWith } from '#lib/http/redirect'
import { withoutEmail } from '#lib/oauth/consent/consent'
import { storeWaitingDecision, waitingDecision } from './consent.ts'
import type { FlowContext } from './context.ts'
import { type Interaction, receiveStepForm, toDispatcher } from './interaction.ts'

type BindingContext = FlowContext & EmailContext & { config: { relayDomain: string } }

/** POST /bind-email/submit: sends a code to the typed address (specification §2.7, e-mail rule 3). */
export const answerBindEmail = (context: BindingContext, request: Request): Promise<Response> =>
  answerBinding(context, request, async ({ form, person, wished, to }) => {
    const typed = form.get('address')
    const askAgain = (problem: Flash['problems'][number]) =>
      to('/bind-email', { form: 'bind-email', problems: [problem], kept: { address: typed } })
    const read = readAddress(context, typed)
    if ('problem' in read) return askAgain(read.problem)
    const asked = { person, purpose: 'bind', address: read.address, wished } as const
    const problem = await sendEmailCode(context, request, asked)
    return problem ? askAgain(problem) : to('/bind-email/code')
  })

/** POST /bind-email/verify: binds the address that the code proves, and returns to the dispatcher. */
export const answerVerifyEmail = (context: BindingContext, request: Request): Promise<Response> =>
  answerBinding(context, request, async ({ form, current, to }) => {
    const problem = await bindAddress(context, request, { current, typed: form.get('code') })
    return problem ? to('/bind-email/code', { form: 'bind-code', problems: [problem], kept: {} }) : to('/continue')
  })

/** POST /bind-email/resend: sends a new code to the same address. */
export const answerResendEmail = (context: BindingContext, request: Request): Promise<Response> =>
  answerBinding(context, request, async ({ person, wished, to }) => {
    const last = await context.emails.findCode(person.id, 'bind')
    if (!last) return to('/bind-email')
    const asked = { person, purpose: 'bind', address: last.address, wished, again: true } as const
    const problem = await sendEmailCode(context, request, asked)
    const flash: Flash = { form: 'bind-code', problems: problem ? [problem] : [], kept: {} }
    return to('/bind-email/code', problem ? flash : { ...flash, done: 'resent' })
  })

type Binding = {
  form: PageForm
  current: NonNullable<Interaction['current']>
  person: NonNullable<Interaction['current']>['person']
  wished: string | undefined
  /** Redirects to a page of the flow with the sealed request and the result of the form. */
  to(path: string, flash?: Flash): Promise<Response> | Response
}

/** Runs one of the three forms, unless the person skips the address. */
async function answerBinding(
  context: BindingContext,
  request: Request,
  run: (binding: Binding) => Promise<Response>,
): Promise<Response> {
  const received = await receiveStepForm(context, request, 'bind-email')
  if (received instanceof Response) return received
  const { form, sealed, interaction } = received
  const { current } = interaction
  if (form.get('action') === 'skip') {
    const agreed = waitingDecision(interaction, current)
    // An address that the person chose to share can be left out again; one that the app requires cannot.
    if (!agreed) return toDispatcher(sealed)
    return storeWaitingDecision(context, request, interaction, withoutEmail(agreed.decision))
  }
  const wished = interaction.languages
  const to: Binding['to'] = (path, flash) => {
    const page = pathWith(path, { request: sealed, ui_locales: wished })
    return flash ? goAndSay(context, request, page, flash) : goTo(page)
  }
  return run({ form, current, person: current.person, wished, to })
}

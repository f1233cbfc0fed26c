import { bindAddress, readAddress } from '#lib/account/email/bind-address'
import { sendEmailCode } from '#lib/account/email/email-code-flow'
import type { Current } from '#lib/account/signed-in/session'
import { isFromOurPages } from '#lib/http/csrf'
import { type Flash, goAndSay } from '#lib/http/flash'
import { type PageForm, readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import { withoutEmail } from '#lib/oauth/consent/consent'
import type { Context } from '#lib/server/compose/context'
import { wayBack } from './answer-app.ts'
import { stepFor } from './continue.ts'
import { agreedBy, keepAgreed } from './email-choice.ts'
import { type Interaction, readInteraction, wishedLanguages } from './interaction.ts'

/** POST /bind-email/submit: the address to bind, on the way into an app (spec §2.7, e-mail rule 3). */
export const answerBindEmail = (context: Context, request: Request): Promise<Response> =>
  answerBinding(context, request, async ({ form, current, wished, to }) => {
    const typed = form.get('address')
    const again = (problem: Flash['problems'][number]) =>
      to('/bind-email', { form: 'bind-email', problems: [problem], kept: { address: typed } })
    const read = readAddress(context, typed)
    if ('problem' in read) return again(read.problem)
    const asked = { person: current.person, purpose: 'bind', address: read.address, wished } as const
    const problem = await sendEmailCode(context, request, asked)
    return problem ? again(problem) : to('/bind-email/code')
  })

/** POST /bind-email/verify: the code from the letter; then the dispatcher goes on. */
export const answerVerifyEmail = (context: Context, request: Request): Promise<Response> =>
  answerBinding(context, request, async ({ form, current, to }) => {
    const problem = await bindAddress(context, request, { person: current.person, typed: form.get('code') })
    if (!problem) return to('/continue')
    return to('/bind-email/code', { form: 'bind-code', problems: [problem], kept: {} })
  })

/** POST /bind-email/resend: a new code to the same address. */
export const answerResendEmail = (context: Context, request: Request): Promise<Response> =>
  answerBinding(context, request, async ({ current, wished, to }) => {
    const last = await context.emails.findCode(current.person.id, 'bind')
    if (!last) return to('/bind-email')
    const asked = { person: current.person, purpose: 'bind', address: last.address, wished, again: true } as const
    const problem = await sendEmailCode(context, request, asked)
    const flash: Flash = { form: 'bind-code', problems: problem ? [problem] : [], kept: {} }
    return to('/bind-email/code', problem ? flash : { ...flash, done: 'resent' })
  })

type Binding = {
  form: PageForm
  interaction: Interaction
  current: Current
  wished: string | undefined
  /** A path of ours, with the request it is about and what there is to say. */
  to(path: string, flash?: Flash): Promise<Response> | Response
}

/** What the three forms have in common: ours, for a request in time, from the person shown, who has to bind an address now. */
async function answerBinding(
  context: Context,
  request: Request,
  run: (binding: Binding) => Promise<Response>,
): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(request, context.config.accountUrl))
    return showProblem(context, { kind: 'not_from_here' })
  const sealed = form.get('request')
  const interaction = await readInteraction(context, request, sealed)
  if (interaction instanceof Response) return interaction
  const { flow, current } = interaction
  const action = form.get('action')
  if (action === 'cancel') return goTo(await wayBack(context, flow.request))
  const next = await stepFor(context, interaction)
  // Another tab switched accounts or bound an address: the dispatcher knows what comes next.
  if (next.step !== 'bind-email' || !current || current.session.publicId !== form.get('session'))
    return goTo(pathWith('/continue', { request: sealed }))
  const agreed = agreedBy(interaction, current)
  // Who chose to share an address may think better of it; where one is required, there is nothing to go on without.
  if (action === 'skip' && agreed)
    return keepAgreed(context, request, { ...interaction, current }, withoutEmail(agreed.decision))
  if (action === 'skip') return goTo(pathWith('/continue', { request: sealed }))
  const wished = wishedLanguages(request, interaction)
  const to: Binding['to'] = (path, flash) => {
    const page = pathWith(path, { request: sealed, ui_locales: wished })
    return flash ? goAndSay(context, request, page, flash) : goTo(page)
  }
  return run({ form, interaction, current, wished, to })
}

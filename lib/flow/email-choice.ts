import { noteConsent } from '#lib/account/activity/note-consent'
import type { Current } from '#lib/account/signed-in/session'
import { goTo } from '#lib/http/redirect'
import type { Agreed } from '#lib/oauth/authorize/next-step'
import { type ConsentRecord, consentMark, isSameDecision } from '#lib/oauth/consent/consent'
import { keepConsent } from '#lib/oauth/consent/keep-consent'
import type { Context } from '#lib/server/compose/context'
import { continueWith, type Interaction } from './interaction.ts'

/**
 * Who chose how to give an address before there was one has bound it now: what was decided is kept, and the journey
 * goes on (specification §2.7, e-mail rule 3). Undefined when nothing waits for that.
 */
export async function finishEmailChoice(
  context: Context,
  request: Request,
  interaction: Interaction,
): Promise<Response | undefined> {
  const { current } = interaction
  const agreed = current?.person.email && agreedBy(interaction, current)
  return agreed ? keepAgreed(context, request, { ...interaction, current }, agreed.decision) : undefined
}

/** What this person agreed to on this way; somebody else may sit in front of the page by now. */
export const agreedBy = ({ flow: { progress } }: Pick<Interaction, 'flow'>, current: Current): Agreed | undefined =>
  progress?.sessionId === current.session.id ? progress.agreed : undefined

/** Keeps what was agreed to, or that without the address; decided otherwise meanwhile, the dispatcher asks again. */
export async function keepAgreed(
  context: Context,
  request: Request,
  interaction: Interaction & { current: Current },
  after: ConsentRecord,
): Promise<Response> {
  const { flow, client, current } = interaction
  const { agreed, ...rest } = flow.progress ?? { sessionId: current.session.id, signedIn: false }
  const personId = current.person.id
  const before = await context.consents.findConsent(personId, client.id)
  // What this request was to give was given: its address, opened once more after a withdrawal, gives nothing.
  const finished = await context.oauth.store.findByRequest(flow.request.id)
  const stands = !finished && (before && consentMark(before)) === agreed?.upon
  const decision = { personId, client, before, after }
  const change = stands ? await keepConsent(context, decision) : undefined
  if (change) await noteConsent(context, request, decision, change)
  const consented =
    change !== undefined || isSameDecision(await context.consents.findConsent(personId, client.id), after)
  return goTo(await continueWith(context, interaction, { ...rest, consented }))
}

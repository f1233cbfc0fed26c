import type { Context } from '#lib/context'
import { type ConsentRecord, consentMark, isSameDecision } from '#lib/oauth/authorize/consent'
import { goTo, pathWith } from './answer.ts'
import { keepConsent } from './keep-consent.ts'
import { sealRequest } from './sealed-request.ts'
import type { Current, Traveller } from './traveller.ts'

/**
 * Who chose how to give an address before there was one has bound it now: what was decided is kept, and the journey
 * goes on (specification §2.7, e-mail rule 3). Undefined when nothing waits for that.
 */
export async function finishEmailChoice(
  context: Context,
  request: Request,
  traveller: Traveller,
): Promise<Response | undefined> {
  const { travelling, current } = traveller
  const { agreed, sessionId } = travelling.progress ?? {}
  if (!agreed || !current || sessionId !== current.session.id || !current.person.email) return undefined
  return keepAgreed(context, request, { ...traveller, current }, agreed.decision)
}

/** Keeps what was agreed to, or that without the address; decided otherwise meanwhile, the dispatcher asks again. */
export async function keepAgreed(
  context: Context,
  request: Request,
  { travelling, client, current }: Traveller & { current: Current },
  after: ConsentRecord,
): Promise<Response> {
  const { agreed, ...rest } = travelling.progress ?? { sessionId: current.session.id, signedIn: false }
  const personId = current.person.id
  const before = await context.consents.findConsent(personId, client.id)
  const stands = (before && consentMark(before)) === agreed?.upon
  const consented =
    (stands && (await keepConsent(context, request, { personId, client, before, after }))) ||
    isSameDecision(await context.consents.findConsent(personId, client.id), after)
  const sealed = await sealRequest(context.secrets, { ...travelling, progress: { ...rest, consented } })
  return goTo(pathWith('/continue', { request: sealed }))
}

import type { Context } from '#lib/context'
import { withEmail } from '#lib/oauth/authorize/consent'
import { goTo, pathWith } from './answer.ts'
import { keepConsent } from './keep-consent.ts'
import { sealRequest } from './sealed-request.ts'
import type { Traveller } from './traveller.ts'

/**
 * Who chose how to give an address before there was one has bound it now: the choice is kept, and the journey goes on
 * (specification §2.7, e-mail rule 3). Undefined when nothing waits for that.
 */
export async function finishEmailChoice(
  context: Context,
  request: Request,
  { travelling, client, current }: Traveller,
): Promise<Response | undefined> {
  const { progress } = travelling
  if (!progress?.bindFor || progress.sessionId !== current?.session.id || !current.person.email) return undefined
  const before = await context.consents.findConsent(current.person.id, client.id)
  const after = before && withEmail(before, progress.bindFor)
  // Withdrawn meanwhile: the dispatcher asks again. Changed at this very moment: once more, upon that.
  const kept = !after || (await keepConsent(context, request, { personId: current.person.id, client, before, after }))
  const { bindFor: _, ...rest } = progress
  const next = { ...travelling, progress: kept ? rest : progress }
  return goTo(pathWith('/continue', { request: await sealRequest(context.secrets, next) }))
}

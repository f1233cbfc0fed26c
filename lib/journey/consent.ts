import type { Context } from '#lib/context'
import { mergeDecision, readDecision } from '#lib/oauth/authorize/consent'
import { goTo, pathWith } from './answer.ts'
import { wayBack } from './app-answer.ts'
import { stepFor } from './continue.ts'
import { readPageForm } from './form.ts'
import { showProblem } from './problem-page.ts'
import { isFromOurPages } from './same-origin.ts'
import { sealRequest } from './sealed-request.ts'
import { readTraveller } from './traveller.ts'

/** POST /consent/submit: allow, or cancel. The decision is bound to request, session and the person shown. */
export async function answerConsent(context: Context, request: Request): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(request, context.config.accountUrl))
    return showProblem(context, { kind: 'not_from_here' })
  const sealed = form.get('request')
  const traveller = await readTraveller(context, request, sealed)
  if (traveller instanceof Response) return traveller
  const { travelling, client, current } = traveller
  if (form.get('action') === 'cancel') return goTo(await wayBack(context, travelling.request))
  // Another tab switched accounts, or this was answered already: ask again, or go on, instead of granting for the wrong one.
  const next = await stepFor(context, traveller)
  if (next.step !== 'consent' || !current || current.session.publicId !== form.get('session')) {
    return goTo(pathWith('/continue', { request: sealed }))
  }
  const asking = { request: travelling.request, client }
  const sent = { scopes: form.all('scope'), emailChoice: form.get('email_choice') || undefined }
  const before = await context.consents.findConsent(current.person.id, client.id)
  const decision = readDecision(asking, sent)
  const merged = mergeDecision(before, travelling.request.scopes, decision)
  await context.consents.saveConsent(current.person.id, client.id, merged, context.now())
  const signedIn = travelling.progress?.signedIn === true && travelling.progress.sessionId === current.session.id
  const progress = { sessionId: current.session.id, signedIn, consented: true }
  return goTo(pathWith('/continue', { request: await sealRequest(context.secrets, { ...travelling, progress }) }))
}

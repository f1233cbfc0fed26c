import type { Current } from '#lib/account/signed-in/session'
import { isFromOurPages } from '#lib/http/csrf'
import { readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Progress, SharingDecision } from '#lib/oauth/authorize/next-step'
import { askedAbout, type ConsentRecord, consentMark, decide, isSameDecision } from '#lib/oauth/consent/consent'
import { keepConsent } from '#lib/oauth/consent/keep-consent'
import type { Context } from '#lib/server/compose/context'
import { answerDeadEnd, wayBack } from './answer-app.ts'
import { stepFor } from './continue.ts'
import { sealRequest } from './sealed-request.ts'
import { readTraveller, type Traveller } from './traveller.ts'

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
  const progress = progressAfter(traveller, current)
  const goOn = async (more: Partial<Progress> = {}) =>
    goTo(
      pathWith('/continue', {
        request: await sealRequest(context.secrets, { ...travelling, progress: { ...progress, ...more } }),
      }),
    )
  // What the page asked about is no longer the question: nobody decides on what they were not shown.
  const shown = form.get('asked')
  if (shown !== '' && shown !== askedAbout(next.question)) return goTo(pathWith('/continue', { request: sealed }))
  // The first of two clicks has already led to a code: the second gets the same answer, and decides nothing.
  const before = await context.consents.findConsent(current.person.id, client.id)
  if (await context.oauth.store.findByRequest(travelling.request.id)) {
    // Withdrawn since then: this request asks for nothing any more.
    if (!before) return answerDeadEnd(context, travelling.request, { kind: 'already_finished', app: client.name })
    return goOn()
  }
  const sent = { scopes: form.all('scope'), emailChoice: form.get('email_choice') }
  const after = decide({ request: travelling.request, client }, before, sent)
  if (needsAddress(after, traveller, current))
    return goOn({ consented: false, agreed: { decision: after, upon: before && consentMark(before) } })
  const kept =
    (await keepConsent(context, request, { personId: current.person.id, client, before, after })) ||
    isSameDecision(await context.consents.findConsent(current.person.id, client.id), after)
  // Another tab decided otherwise meanwhile: what is left to ask is asked upon that.
  return kept ? goOn() : goTo(pathWith('/continue', { request: sealed }))
}

/** Nobody shares an address they have not bound: the decision waits until there is one. */
const needsAddress = (after: ConsentRecord, { travelling }: Traveller, { person }: Current): after is SharingDecision =>
  person.email === undefined && after.emailChoice !== 'none' && travelling.request.scopes.includes('email')

function progressAfter({ travelling: { progress } }: Traveller, { session }: Current): Progress {
  const mine = progress?.sessionId === session.id ? progress : undefined
  return {
    sessionId: session.id,
    signedIn: mine?.signedIn === true,
    consented: true,
    ...(mine?.chosen && { chosen: true }),
  }
}

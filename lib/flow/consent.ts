import { noteConsent } from '#lib/account/activity/note-consent'
import type { Current } from '#lib/account/signed-in/session'
import { isFromOurPages } from '#lib/http/csrf'
import { readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Progress, SharingDecision } from '#lib/oauth/authorize/next-step'
import {
  askedAbout,
  type ConsentRecord,
  consentMark,
  decide,
  isSameDecision,
  mayHide,
} from '#lib/oauth/consent/consent'
import { keepConsent } from '#lib/oauth/consent/keep-consent'
import type { Context } from '#lib/server/compose/context'
import { answerDeadEnd, wayBack } from './answer-app.ts'
import { stepFor } from './continue.ts'
import { continueWith, type Interaction, readInteraction } from './interaction.ts'

/** POST /consent/submit: allow, or cancel. The decision is bound to request, session and the person shown. */
export async function answerConsent(context: Context, request: Request): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(request, context.config.accountUrl))
    return showProblem(context, { kind: 'not_from_here' })
  const sealed = form.get('request')
  const interaction = await readInteraction(context, request, sealed)
  if (interaction instanceof Response) return interaction
  const { flow, client, current } = interaction
  if (form.get('action') === 'cancel') return goTo(await wayBack(context, flow.request))
  // Another tab switched accounts, or this was answered already: ask again, or go on, instead of granting for the wrong one.
  const next = await stepFor(context, interaction)
  if (next.step !== 'consent' || !current || current.session.publicId !== form.get('session')) {
    return goTo(pathWith('/continue', { request: sealed }))
  }
  const progress = progressAfter(interaction, current)
  const goOn = async (more: Partial<Progress> = {}) =>
    goTo(await continueWith(context, interaction, { ...progress, ...more }))
  // What the page asked about is no longer the question: nobody decides on what they were not shown.
  const shown = form.get('asked')
  if (shown !== '' && shown !== askedAbout(next.question)) return goTo(pathWith('/continue', { request: sealed }))
  // The first of two clicks has already led to a code: the second gets the same answer, and decides nothing.
  const before = await context.consents.findConsent(current.person.id, client.id)
  if (await context.oauth.store.findByRequest(flow.request.id)) {
    // Withdrawn since then: this request asks for nothing any more.
    if (!before) return answerDeadEnd(context, flow.request, { kind: 'already_finished', app: client.name })
    return goOn()
  }
  const sent = { scopes: form.all('scope'), emailChoice: form.get('email_choice') }
  // The page was made while relay addresses were offered: asks again instead of sharing another address than was chosen.
  if (sent.emailChoice === 'hidden' && !mayHide(context.config, before))
    return goTo(pathWith('/continue', { request: sealed }))
  const after = decide({ request: flow.request, client }, before, sent)
  if (needsAddress(after, interaction, current))
    return goOn({ consented: false, agreed: { decision: after, upon: before && consentMark(before) } })
  const decision = { personId: current.person.id, client, before, after }
  const change = await keepConsent(context, decision)
  if (change) await noteConsent(context, request, decision, change)
  const kept = change || isSameDecision(await context.consents.findConsent(current.person.id, client.id), after)
  // Another tab decided otherwise meanwhile: what is left to ask is asked upon that.
  return kept ? goOn() : goTo(pathWith('/continue', { request: sealed }))
}

/** Nobody shares an address they have not bound: the decision waits until there is one. */
const needsAddress = (after: ConsentRecord, { flow }: Interaction, { person }: Current): after is SharingDecision =>
  person.email === undefined && after.emailChoice !== 'none' && flow.request.scopes.includes('email')

function progressAfter({ flow: { progress } }: Interaction, { session }: Current): Progress {
  const mine = progress?.sessionId === session.id ? progress : undefined
  return {
    sessionId: session.id,
    signedIn: mine?.signedIn === true,
    consented: true,
    ...(mine?.chosen && { chosen: true }),
  }
}

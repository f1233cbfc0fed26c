import { type ActivityStore, noteConsent } from '#lib/account/activity/activity'
import type { ProfileStore } from '#lib/account/profile/profile'
import type { Current } from '#lib/account/signed-in/session'
import { goAndSay } from '#lib/http/flash'
import { namesOfApp } from '#lib/http/problem-page'
import { pathWith } from '#lib/http/redirect'
import type { Agreed, Progress, SharingDecision } from '#lib/oauth/authorize/next-step'
import type { Client } from '#lib/oauth/client/client'
import {
  askedAbout,
  consentMark,
  type Decision,
  decide,
  isSameDecision,
  keepConsent,
  mayHide,
} from '#lib/oauth/consent/consent'
import type { ConsentRecord } from '#lib/oauth/consent/store'
import { answerDeadEnd } from './answer-app.ts'
import type { FlowContext } from './context.ts'
import { fillInName } from './fill-in-name.ts'
import { continueWith, type Interaction, receiveStepForm, toDispatcher } from './interaction.ts'

/** The parts of every handler of the flow, and the audit trail. */
export type ConsentContext = FlowContext & { activity: ActivityStore }

type ConsentFormContext = ConsentContext & {
  config: { offersRelay: boolean }
  profiles: Pick<ProfileStore, 'save'>
}

type OwnInteraction = Interaction & { current: Current }

/** POST /consent/submit: stores the decision, which is bound to the request, the session and the person shown. */
export async function answerConsent(context: ConsentFormContext, request: Request): Promise<Response> {
  const received = await receiveStepForm(context, request, 'consent')
  if (received instanceof Response) return received
  const { form, sealed, interaction, next } = received
  const { flow, client, current } = interaction
  // The question has changed since the page was shown: asks again.
  const shown = form.get('asked')
  if (shown !== '' && shown !== askedAbout(next.question, client)) return toDispatcher(sealed)
  const progress = progressAfter(interaction)
  const completed = await context.oauth.store.findByRequest(flow.request.id)
  // Read after the request: a completed request has its consent on record, unless the person has withdrawn it.
  const before = await context.consents.findConsent(current.person.id, client.id)
  // On a double submit, the first form has completed the request: the second gets the same answer and decides nothing.
  if (completed) {
    // Without a stored consent, the person has withdrawn it since: a completed request grants nothing again.
    if (!before)
      return answerDeadEnd(
        context,
        flow.request,
        { kind: 'already_finished', ...namesOfApp(client) },
        interaction.languages,
      )
    return continueWith(context, interaction, progress)
  }
  const sent = { scopes: form.all('scope'), emailChoice: form.get('email_choice') }
  // The relay is no longer offered: asks again, because the person did not choose to share the regular address.
  if (sent.emailChoice === 'hidden' && !mayHide(context.config, before)) return toDispatcher(sealed)
  const problem = await fillInName(context, request, current.person, form.get('name'))
  if (problem) {
    const page = pathWith('/consent', { request: sealed, ui_locales: interaction.languages })
    const kept = { name: form.get('name'), scope: sent.scopes.join(' '), email_choice: sent.emailChoice }
    return goAndSay(context, request, page, { form: 'consent', problems: [problem], kept })
  }
  const after = decide({ request: flow.request, client }, before, sent)
  if (needsAddress(after, interaction)) {
    const agreed = { decision: after, upon: basisOf(client, before) }
    return continueWith(context, interaction, { ...progress, consented: false, agreed })
  }
  const isKept = await keepDecision(context, request, { personId: current.person.id, client, before, after })
  // Another tab has stored a different decision: the dispatcher asks for the scopes that are still undecided.
  return isKept ? continueWith(context, interaction, progress) : toDispatcher(sealed)
}

/** A person without an address cannot share one: the decision waits until an address is bound. */
const needsAddress = (after: ConsentRecord, { flow, current }: OwnInteraction): after is SharingDecision =>
  current.person.email === undefined && after.emailChoice !== 'none' && flow.request.scopes.includes('email')

function progressAfter({ flow: { progress }, current: { session } }: OwnInteraction): Progress {
  const own = progress?.sessionId === session.id ? progress : undefined
  return {
    sessionId: session.id,
    signedIn: own?.signedIn === true,
    consented: true,
    ...(own?.chosen && { chosen: true }),
  }
}

/** Returns a fingerprint of the app's team and the stored consent: a decision holds for the team that the page named. */
const basisOf = ({ teamId }: Pick<Client, 'teamId'>, before: ConsentRecord | undefined): string =>
  [teamId, ...(before ? [consentMark(before)] : [])].join(' ')

/** Returns the decision of this session that waits for an address; another account may be in use by now. */
export const waitingDecision = (
  { flow: { progress } }: Pick<Interaction, 'flow'>,
  current: Current,
): Agreed | undefined => (progress?.sessionId === current.session.id ? progress.agreed : undefined)

/**
 * Stores the decision that waited for an address, once one is bound, and continues (specification §2.7, e-mail rule 3).
 * Returns undefined when no decision waits.
 */
export async function finishWaitingDecision(
  context: ConsentContext,
  request: Request,
  interaction: Interaction,
): Promise<Response | undefined> {
  const { current } = interaction
  const agreed = current?.person.email && waitingDecision(interaction, current)
  return agreed ? storeWaitingDecision(context, request, { ...interaction, current }, agreed.decision) : undefined
}

/** Stores a decision that waited, as made or without the address, unless another decision was made since; then continues. */
export async function storeWaitingDecision(
  context: ConsentContext,
  request: Request,
  interaction: OwnInteraction,
  after: ConsentRecord,
): Promise<Response> {
  const { flow, client, current } = interaction
  const { agreed, ...progress } = flow.progress ?? { sessionId: current.session.id, signedIn: false }
  const personId = current.person.id
  const before = await context.consents.findConsent(personId, client.id)
  // A completed request grants nothing again.
  const isFinished = await context.oauth.store.findByRequest(flow.request.id)
  const isCurrent = !isFinished && basisOf(client, before) === agreed?.upon
  const decision = { personId, client, before, after }
  const consented = await (isCurrent ? keepDecision(context, request, decision) : isOnRecord(context, decision))
  return continueWith(context, interaction, { ...progress, consented })
}

/** Stores and records a decision; false when a different decision is stored. */
async function keepDecision(context: ConsentContext, request: Request, decision: Decision): Promise<boolean> {
  const change = await keepConsent(context, decision)
  if (change) await noteConsent(context, request, decision, change)
  if (change && !decision.before) context.oauth.usage.count(decision.client.id, 'new_people')
  return change !== undefined || isOnRecord(context, decision)
}

const isOnRecord = async ({ consents }: FlowContext, { personId, client, after }: Decision): Promise<boolean> =>
  isSameDecision(await consents.findConsent(personId, client.id), after)

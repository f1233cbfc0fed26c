import { isLeaving } from '#lib/account/data/deletion'
import type { AliasStore } from '#lib/account/hide-my-email/store'
import type { Current } from '#lib/account/signed-in/session'
import { namesOfApp } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import { completeRequest, newSubject } from '#lib/oauth/authorize/complete'
import type { NextStep } from '#lib/oauth/authorize/next-step'
import { OAuthError } from '#lib/oauth/error'
import { answerApp, answerDeadEnd, refuseRequest } from './answer-app.ts'
import { type ConsentContext, finishWaitingDecision } from './consent.ts'
import { type Interaction, readInteraction, stepFor, toDispatcher } from './interaction.ts'

type DispatcherContext = ConsentContext & { aliases: Pick<AliasStore, 'ensureAddress'> }

/** GET /continue: the dispatcher, to which every page of the flow returns (design §3 step 3). */
export async function answerContinue(context: DispatcherContext, request: Request): Promise<Response> {
  const sealed = new URL(request.url).searchParams.get('request') ?? ''
  const interaction = await readInteraction(context, request, sealed)
  if (interaction instanceof Response) return interaction
  const decided = await finishWaitingDecision(context, request, interaction)
  if (decided) return decided
  const next = await stepFor(context, interaction)
  const leaving = await answerLeaving(context, interaction, next, sealed)
  if (leaving) return leaving
  const { flow, client } = interaction
  switch (next.step) {
    case 'sign-in':
    case 'choose-account':
    case 'consent':
    case 'bind-email':
      return goTo(pathWith(pageOf[next.step], { request: sealed, ui_locales: interaction.languages }))
    case 'refuse':
      return refuseRequest(context, flow.request, client.id, next.error)
    case 'done': {
      const finished = await finish(context, interaction, interaction.current as Current, next)
      // The consent was withdrawn or narrowed, or the session ended, during this request: decide the next step again.
      return finished === 'outdated' ? toDispatcher(sealed) : finished
    }
  }
}

const pageOf = {
  'sign-in': '/signin',
  'choose-account': '/choose',
  consent: '/consent',
  'bind-email': '/bind-email',
} as const

/**
 * Steps that grant nothing, so a pending deletion does not block them. Before sign-in and choice, the account may
 * still change.
 */
const stepsWithoutAccount: readonly NextStep['step'][] = ['sign-in', 'choose-account', 'refuse']

/**
 * Blocks requests of apps while a deletion of the account is pending: leads to the page where the person can cancel
 * the deletion, or refuses a silent request. Returns undefined for every other account.
 */
async function answerLeaving(
  context: DispatcherContext,
  { flow: { request }, current, languages }: Interaction,
  next: NextStep,
  sealed: string,
): Promise<Response | undefined> {
  if (!current || !isLeaving(current.person) || stepsWithoutAccount.includes(next.step)) return undefined
  if (!request.prompt.includes('none'))
    return goTo(pathWith('/account/data', { request: sealed, ui_locales: languages }))
  const error = new OAuthError(
    'interaction_required',
    'The person must decide whether to keep their account. Send the request without prompt=none.',
  )
  return refuseRequest(context, request, request.clientId, error)
}

async function finish(
  context: DispatcherContext,
  { flow: { request }, client, languages }: Interaction,
  { session, person }: Current,
  { scopes, emailChoice, consent }: Extract<NextStep, { step: 'done' }>,
): Promise<Response | 'outdated'> {
  const candidate = newSubject(context.random)
  const subject = await context.consents.ensureSubject(person.id, client.teamId, candidate, context.now())
  // The relay address must exist before the app gets the code, with which it can request the address.
  if (emailChoice === 'hidden') await context.aliases.ensureAddress(person.id, client.id, context.now())
  const approval = { request, client, personId: person.id, subject, session, scopes, emailChoice, consent }
  try {
    const response = await completeRequest(context.oauth, approval)
    if (response === 'outdated') return response
    if (response !== 'already finished') return answerApp(context, response)
    return answerDeadEnd(context, request, { kind: 'already_finished', ...namesOfApp(client) }, languages)
  } catch (fault) {
    if (!(fault instanceof OAuthError)) throw fault
    return refuseRequest(context, request, client.id, fault)
  }
}

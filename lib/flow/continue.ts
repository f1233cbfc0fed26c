import type { Current } from '#lib/account/signed-in/session'
import { goTo, pathWith } from '#lib/http/redirect'
import { completeRequest } from '#lib/oauth/authorize/complete'
import { type NextStep, nextStep } from '#lib/oauth/authorize/next-step'
import { errorResponse } from '#lib/oauth/authorize/response'
import { OAuthError } from '#lib/oauth/error'
import { newSubject } from '#lib/oauth/userinfo/pairwise-subject'
import type { Context } from '#lib/server/compose/context'
import { answerApp, answerDeadEnd } from './answer-app.ts'
import { finishEmailChoice } from './email-choice.ts'
import { type Interaction, readInteraction, wishedLanguages } from './interaction.ts'
import { answerLeaving } from './leaving.ts'

/** GET /continue: the dispatcher every page returns to (design §3 step 3). */
export async function answerContinue(context: Context, request: Request): Promise<Response> {
  const sealed = new URL(request.url).searchParams.get('request') ?? ''
  const interaction = await readInteraction(context, request, sealed)
  if (interaction instanceof Response) return interaction
  const bound = await finishEmailChoice(context, request, interaction)
  if (bound) return bound
  const next = await stepFor(context, interaction)
  const leaving = await answerLeaving(context, interaction, next, sealed)
  if (leaving) return leaving
  const { flow } = interaction
  switch (next.step) {
    case 'sign-in':
    case 'choose-account':
    case 'consent':
    case 'bind-email':
      return goTo(pathWith(pageOf[next.step], { request: sealed, ui_locales: wishedLanguages(request, interaction) }))
    case 'refuse':
      context.oauth.refused({ endpoint: 'authorize', clientId: interaction.client.id, error: next.error })
      return answerApp(context, errorResponse(context.config.issuer, flow.request, next.error))
    case 'done': {
      const finished = await finish(context, interaction, interaction.current as Current, next)
      // Withdrawn or narrowed at this very moment: what comes next is asked again.
      return finished === 'consent changed' ? goTo(pathWith('/continue', { request: sealed })) : finished
    }
  }
}

const pageOf = {
  'sign-in': '/signin',
  'choose-account': '/choose',
  consent: '/consent',
  'bind-email': '/bind-email',
} as const

/** What comes next for this interaction, from what is on record now. */
export async function stepFor(context: Context, { flow, client, current }: Interaction): Promise<NextStep> {
  const personId = current?.person.id
  const [consent, subject] = personId
    ? await Promise.all([
        context.consents.findConsent(personId, client.id),
        context.consents.findSubject(personId, client.teamId),
      ])
    : []
  return nextStep({
    request: flow.request,
    client,
    progress: flow.progress,
    now: context.now(),
    session: current && { id: current.session.id, authenticatedAt: current.session.authenticatedAt },
    person: current && { hasEmail: current.person.email !== undefined, subject },
    consent,
  })
}

async function finish(
  context: Context,
  { flow, client }: Interaction,
  { session, person }: Current,
  granted: Extract<NextStep, { step: 'done' }>,
): Promise<Response | 'consent changed'> {
  const { request } = flow
  const subject = await context.consents.ensureSubject(
    person.id,
    client.teamId,
    newSubject(context.random),
    context.now(),
  )
  // No code before the address it lets the app ask for is there.
  if (granted.emailChoice === 'hidden') await context.aliases.ensureAddress(person.id, client.id, context.now())
  const { scopes, emailChoice, consent } = granted
  const approval = { request, client, personId: person.id, subject, session, scopes, emailChoice, consent }
  try {
    const response = await completeRequest(context.oauth, approval)
    if (response === 'consent changed') return response
    if (response !== 'already finished') return answerApp(context, response)
    return answerDeadEnd(context, request, { kind: 'already_finished', app: client.name })
  } catch (fault) {
    if (!(fault instanceof OAuthError)) throw fault
    context.oauth.refused({ endpoint: 'authorize', clientId: client.id, error: fault })
    return answerApp(context, errorResponse(context.config.issuer, request, fault))
  }
}

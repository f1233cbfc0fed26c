import { ensureRelayAddress } from '#lib/account/hide-my-email/relay-address'
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
import { answerLeaving } from './leaving.ts'
import { readTraveller, type Traveller, wishedLanguages } from './traveller.ts'

/** GET /continue: the dispatcher every page returns to (design §3 step 3). */
export async function answerContinue(context: Context, request: Request): Promise<Response> {
  const sealed = new URL(request.url).searchParams.get('request') ?? ''
  const traveller = await readTraveller(context, request, sealed)
  if (traveller instanceof Response) return traveller
  const bound = await finishEmailChoice(context, request, traveller)
  if (bound) return bound
  const next = await stepFor(context, traveller)
  const leaving = await answerLeaving(context, traveller, next, sealed)
  if (leaving) return leaving
  const { travelling } = traveller
  switch (next.step) {
    case 'sign-in':
    case 'choose-account':
    case 'consent':
    case 'bind-email':
      return goTo(pathWith(pageOf[next.step], { request: sealed, ui_locales: wishedLanguages(request, traveller) }))
    case 'refuse':
      context.oauth.refused({ endpoint: 'authorize', clientId: traveller.client.id, error: next.error })
      return answerApp(context, errorResponse(context.config.issuer, travelling.request, next.error))
    case 'done': {
      const finished = await finish(context, traveller, traveller.current as Current, next)
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

/** What comes next for this traveller, from what is on record now. */
export async function stepFor(context: Context, { travelling, client, current }: Traveller): Promise<NextStep> {
  const personId = current?.person.id
  const [consent, subject] = personId
    ? await Promise.all([
        context.consents.findConsent(personId, client.id),
        context.consents.findSubject(personId, client.teamId),
      ])
    : []
  return nextStep({
    request: travelling.request,
    client,
    progress: travelling.progress,
    now: context.now(),
    session: current && { id: current.session.id, authenticatedAt: current.session.authenticatedAt },
    person: current && { hasEmail: current.person.email !== undefined, subject },
    consent,
  })
}

async function finish(
  context: Context,
  { travelling, client }: Traveller,
  { session, person }: Current,
  granted: Extract<NextStep, { step: 'done' }>,
): Promise<Response | 'consent changed'> {
  const { request } = travelling
  const subject = await context.consents.ensureSubject(
    person.id,
    client.teamId,
    newSubject(context.random),
    context.now(),
  )
  // No code before the address it lets the app ask for is there.
  if (granted.emailChoice === 'hidden') {
    await ensureRelayAddress(context, person.id, client.id)
  }
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

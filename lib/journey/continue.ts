import type { Context } from '#lib/context'
import { completeRequest } from '#lib/oauth/authorize/complete'
import { type NextStep, nextStep } from '#lib/oauth/authorize/next-step'
import { errorResponse } from '#lib/oauth/authorize/response'
import { OAuthError } from '#lib/oauth/error'
import { newSubject } from '#lib/oauth/subject'
import { goTo, pathWith } from './answer.ts'
import { answerApp, wayBack } from './app-answer.ts'
import { readCookie } from './cookies.ts'
import { showProblem } from './problem-page.ts'
import { type Current, readTraveller, type Traveller } from './traveller.ts'

/** GET /continue: the dispatcher every page returns to (design §3 step 3). */
export async function answerContinue(context: Context, request: Request): Promise<Response> {
  const sealed = new URL(request.url).searchParams.get('request') ?? ''
  const traveller = await readTraveller(context, request, sealed)
  if (traveller instanceof Response) return traveller
  const next = await stepFor(context, traveller)
  const { travelling } = traveller
  switch (next.step) {
    case 'sign-in':
    case 'consent':
      return goTo(pathWith(pageOf[next.step], { request: sealed, ui_locales: wishedLanguages(request, traveller) }))
    case 'refuse':
      context.oauth.refused({ endpoint: 'authorize', clientId: traveller.client.id, error: next.error })
      return answerApp(context, errorResponse(context.config.issuer, travelling.request, next.error))
    case 'done':
      return finish(context, traveller, traveller.current as Current, next)
  }
}

const pageOf = { 'sign-in': '/signin', consent: '/consent' } as const

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
): Promise<Response> {
  const { request } = travelling
  const subject = await context.consents.ensureSubject(
    person.id,
    client.teamId,
    newSubject(context.random),
    context.now(),
  )
  const approval = {
    request,
    client,
    personId: person.id,
    subject,
    session,
    scopes: granted.scopes,
    emailChoice: granted.emailChoice,
  }
  try {
    const response = await completeRequest(context.oauth, approval)
    if (response !== 'already finished') return answerApp(context, response)
    return showProblem(context, { kind: 'already_finished', app: client.name, back: await wayBack(context, request) })
  } catch (fault) {
    if (!(fault instanceof OAuthError)) throw fault
    return answerApp(context, errorResponse(context.config.issuer, request, fault))
  }
}

/** The app's wish for a language counts until the person has chosen one. */
function wishedLanguages(request: Request, { travelling }: Traveller): string | undefined {
  const chosen = readCookie(request.headers.get('cookie'), 'postern_language')
  return chosen === undefined ? travelling.request.uiLocales : undefined
}

import { type Current, currentSession } from '#lib/account/signed-in/session'
import { browserOf, readCookie } from '#lib/http/cookies'
import { showProblem } from '#lib/http/problem-page'
import type { Client } from '#lib/oauth/client/client'
import { isRegisteredRedirect } from '#lib/oauth/client/redirect-uri'
import type { Context } from '#lib/server/compose/context'
import { answerDeadEnd } from './answer-app.ts'
import { openRequest, type Travelling } from './sealed-request.ts'

/** A request of this browser's, still in time, and the app it is for. */
export type Traveller = { travelling: Travelling; client: Client; current: Current | undefined }

/** Reads the sealed request a browser carries; an answer instead when the journey cannot go on from here. */
export async function readTraveller(context: Context, request: Request, sealed: string): Promise<Traveller | Response> {
  const opened = await openRequest(context.secrets, sealed, context.now())
  if (opened.kind === 'unreadable') return showProblem(context, { kind: 'unreadable_request' })
  const { travelling } = opened
  const client = await context.oauth.store.findClient(travelling.request.clientId)
  if (!client || !isRegisteredRedirect(client, travelling.request.redirectUri))
    return showProblem(context, { kind: 'app_gone' })
  const deadEnd = (kind: 'expired_request' | 'other_browser') =>
    answerDeadEnd(context, travelling.request, { kind, app: client.name })
  if (opened.kind === 'expired') return deadEnd('expired_request')
  const cookies = request.headers.get('cookie')
  // Whoever finds the address later, in a history or a log, cannot finish it in another browser.
  if (travelling.browser !== browserOf(context, cookies).hash) return deadEnd('other_browser')
  return { travelling, client, current: await currentSession(context, cookies) }
}

/** The app's wish for a language counts until the person has chosen one. */
export function wishedLanguages(request: Request, { travelling }: Traveller): string | undefined {
  const chosen = readCookie(request.headers.get('cookie'), 'postern_language')
  return chosen === undefined ? travelling.request.uiLocales : undefined
}

import { type Current, currentSession } from '#lib/account/signed-in/session'
import { sentBrowser } from '#lib/http/browser-id'
import { readCookie } from '#lib/http/cookies'
import { showProblem } from '#lib/http/problem-page'
import { pathWith } from '#lib/http/redirect'
import type { Progress } from '#lib/oauth/authorize/next-step'
import type { Client } from '#lib/oauth/client/client'
import { isRegisteredRedirect } from '#lib/oauth/client/redirect-uri'
import type { Context } from '#lib/server/compose/context'
import { answerDeadEnd } from './answer-app.ts'
import { type FlowState, openRequest, sealRequest } from './sealed-request.ts'

/** An authorization request that this browser carries, its app, and the person signed in. */
export type Interaction = { flow: FlowState; browser: string; client: Client; current: Current | undefined }

/** Reads the sealed request that a browser carries; returns a response instead when the flow cannot continue here. */
export async function readInteraction(
  context: Context,
  request: Request,
  sealed: string,
): Promise<Interaction | Response> {
  const cookies = request.headers.get('cookie')
  const browser = sentBrowser(context, cookies)
  const opened = await openRequest(context, { browser }, sealed)
  if (opened.kind === 'unreadable') return showProblem(context, { kind: 'unreadable_request' })
  const { flow } = opened
  const client = await context.oauth.store.findClient(flow.request.clientId)
  if (!client || !isRegisteredRedirect(client, flow.request.redirectUri))
    return showProblem(context, { kind: 'app_gone' })
  const deadEnd = (kind: 'expired_request' | 'other_browser') =>
    answerDeadEnd(context, flow.request, { kind, app: client.name })
  if (opened.kind === 'expired') return deadEnd('expired_request')
  // An address from a history or a log cannot be continued in another browser.
  if (!opened.isOwn || browser === undefined) return deadEnd('other_browser')
  return { flow, browser, client, current: await currentSession(context, cookies) }
}

/** Returns the address of the dispatcher with the request and its new progress. */
export const continueWith = async (
  context: Context,
  { flow: { request }, browser }: Pick<Interaction, 'flow' | 'browser'>,
  progress: Progress,
): Promise<string> => pathWith('/continue', { request: await sealRequest(context, { browser }, { request, progress }) })

/** Returns the app's `ui_locales`, unless the person has chosen a language. */
export function wishedLanguages(request: Request, { flow }: Interaction): string | undefined {
  const chosen = readCookie(request.headers.get('cookie'), 'postern_language')
  return chosen === undefined ? flow.request.uiLocales : undefined
}

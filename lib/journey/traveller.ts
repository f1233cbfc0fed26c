import type { Person, Session } from '#lib/account/session'
import type { Context } from '#lib/context'
import type { Client } from '#lib/oauth/client'
import { isRegisteredRedirect } from '#lib/oauth/redirect-uri'
import { wayBack } from './app-answer.ts'
import { browserOf, claimedSession } from './cookies.ts'
import { showProblem } from './problem-page.ts'
import { openRequest, type Travelling } from './sealed-request.ts'

/** A request of this browser's, still in time, and the app it is for. */
export type Traveller = { travelling: Travelling; client: Client; current: Current | undefined }
export type Current = { session: Session; person: Person }

/** Reads the sealed request a browser carries; an answer instead when the journey cannot go on from here. */
export async function readTraveller(context: Context, request: Request, sealed: string): Promise<Traveller | Response> {
  const opened = await openRequest(context.secrets, sealed, context.now())
  if (opened.kind === 'unreadable') return showProblem(context, { kind: 'unreadable_request' })
  const { travelling } = opened
  const client = await context.oauth.store.findClient(travelling.request.clientId)
  if (!client || !isRegisteredRedirect(client, travelling.request.redirectUri))
    return showProblem(context, { kind: 'app_gone' })
  const back = await wayBack(context, travelling.request)
  if (opened.kind === 'expired') return showProblem(context, { kind: 'expired_request', app: client.name, back })
  const cookies = request.headers.get('cookie')
  // Whoever finds the address later, in a history or a log, cannot finish it in another browser.
  if (travelling.browser !== browserOf(context, cookies).hash) {
    return showProblem(context, { kind: 'other_browser', app: client.name, back })
  }
  return { travelling, client, current: await currentSession(context, cookies) }
}

/** Who is signed in in this browser. */
export async function currentSession(context: Context, cookies: string | null): Promise<Current | undefined> {
  const id = await claimedSession(context, cookies)
  return id === undefined ? undefined : context.signIn.findSession(id, context.now())
}

import { browserOf } from '#lib/http/browser-id'
import { showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import { checkRequest } from '#lib/oauth/authorize/request'
import { errorResponse } from '#lib/oauth/authorize/response'
import { OAuthError } from '#lib/oauth/error'
import type { Context } from '#lib/server/compose/context'
import { answerApp } from './answer-app.ts'
import { longestSeal, openRequest, sealRequest } from './sealed-request.ts'

const kinds = { client_id: 'unknown_client', redirect_uri: 'bad_redirect_uri', encoding: 'bad_request' } as const

/** GET and POST /oauth2/authorize (specification §4.2): checks the request and seals it into a URL; nothing is stored. */
export async function answerAuthorize(context: Context, request: Request): Promise<Response> {
  const checked = await checkRequest(context.oauth, await readQuery(request))
  if (checked.kind !== 'accepted') {
    context.oauth.refused({ endpoint: 'authorize', clientId: checked.client?.id, error: checked.error })
  }
  if (checked.kind === 'shown')
    return showProblem(context, { kind: kinds[checked.culprit], ...(checked.client && { app: checked.client.name }) })
  if (checked.kind === 'returned')
    return answerApp(context, errorResponse(context.config.issuer, checked.to, checked.error))
  const sealed = await sealRequest(context, 'bearer', { request: checked.request, progress: undefined })
  if (sealed.length > longestSeal - roomForProgress) {
    const error = new OAuthError(
      'invalid_request',
      'The authorization request is too large. Send fewer or shorter parameters.',
    )
    context.oauth.refused({ endpoint: 'authorize', clientId: checked.client.id, error })
    return answerApp(context, errorResponse(context.config.issuer, checked.request, error))
  }
  return goTo(pathWith(`${context.config.accountUrl}/start`, { request: sealed }))
}

/** Characters for the browser's id and the progress, which later steps add. */
const roomForProgress = 900

/** A POST has the parameters in its body (OpenID Connect Core §3.1.2.1). */
async function readQuery(request: Request): Promise<string> {
  return request.method === 'POST' ? request.text() : new URL(request.url).search.slice(1)
}

/** GET /start: binds the request to this browser, once (design §3 step 2). */
export async function answerStart(context: Context, request: Request): Promise<Response> {
  const opened = await openRequest(context, 'bearer', new URL(request.url).searchParams.get('request') ?? '')
  // An expired request goes on too: the dispatcher leads it back to the app.
  if (opened.kind === 'unreadable' || !opened.isOwn) return showProblem(context, { kind: 'unreadable_request' })
  const browser = browserOf(context, request)
  const sealed = await sealRequest(context, { browser: browser.hash }, opened.flow)
  return goTo(pathWith('/continue', { request: sealed }), [browser.setCookie])
}

import { browserOf } from '#lib/http/cookies'
import { namesOfApp, showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import { checkRequest } from '#lib/oauth/authorize/check-request'
import { OAuthError } from '#lib/oauth/error'
import { refuseRequest } from './answer-app.ts'
import type { FlowContext } from './context.ts'
import { longestSeal, openRequest, sealRequest } from './interaction.ts'

const problems = {
  client_id: 'unknown_client',
  redirect_uri: 'bad_redirect_uri',
  request_uri: 'bad_request_uri',
  request: 'bad_request_object',
  encoding: 'bad_request',
} as const

/** GET and POST /oauth2/authorize (specification §4.2): checks the request and seals it into a URL; nothing is stored. */
export async function answerAuthorize(context: FlowContext, request: Request): Promise<Response> {
  const query = await readQuery(request)
  const checked = await checkRequest(context.oauth, query)
  if (checked.kind === 'shown') {
    const { client, culprit, error } = checked
    context.oauth.refused({ endpoint: 'authorize', clientId: client?.id, error })
    return showProblem(context, { kind: problems[culprit], ...(client && namesOfApp(client)) }, languagesOf(query))
  }
  if (checked.kind === 'returned') return refuseRequest(context, checked.to, checked.client.id, checked.error)
  const sealed = sealRequest(context, 'bearer', { request: checked.request, progress: undefined })
  if (sealed.length > longestSeal - roomForProgress) {
    const error = new OAuthError(
      'invalid_request',
      'The authorization request is too large. Send fewer or shorter parameters.',
    )
    return refuseRequest(context, checked.request, checked.client.id, error)
  }
  return goTo(pathWith(`${context.config.accountUrl}/start`, { request: sealed }))
}

/** Characters reserved for the browser's id and the progress, which later steps of the flow add. */
const roomForProgress = 900

/** Returns the parameters as sent: a POST has them in its body (OpenID Connect Core §3.1.2.1). */
export async function readQuery(request: Request): Promise<string> {
  return request.method === 'POST' ? request.text() : new URL(request.url).search.slice(1)
}

/** Returns the `ui_locales` of a refused request, so that the error page is in a language that the app asked for. */
export const languagesOf = (query: string): string | undefined =>
  new URLSearchParams(query).get('ui_locales')?.slice(0, 200)

/** GET /start: binds the request to this browser, once (design §3 step 2). */
export async function answerStart(context: FlowContext, request: Request): Promise<Response> {
  const opened = openRequest(context, 'bearer', new URL(request.url).searchParams.get('request') ?? '')
  // An expired request continues: the dispatcher leads it back to the app.
  if (opened.kind === 'unreadable' || !opened.isOwn) return showProblem(context, { kind: 'unreadable_request' })
  const browser = browserOf(context, request)
  const sealed = sealRequest(context, { browser: browser.hash }, opened.flow)
  return goTo(pathWith('/continue', { request: sealed }), [browser.setCookie])
}

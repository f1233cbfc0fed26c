import { chooseLanguage, type Offered, textsOf } from '#lib/brand/brand-texts'
import type { Brand } from '#lib/brand/read-brand'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { readCookie } from '#lib/http/cookies'
import { pageHeaders } from '#lib/http/headers'
import { type Problem, showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import {
  type AuthorizationResponse,
  errorResponse,
  formPostPage,
  isSignedMode,
  responseAddress,
  signResponse,
} from '#lib/oauth/authorize/complete'
import type { AuthorizationRequest, ReturnAddress } from '#lib/oauth/authorize/request'
import { OAuthError } from '#lib/oauth/error'
import { acceptedLanguages, requestedLanguages } from '#lib/text/messages'
import type { FlowContext } from './context.ts'

/** Answers the app in the response mode of its request: by redirect, or by a page with a form that posts itself. */
export async function answerApp(context: FlowContext, response: AuthorizationResponse): Promise<Response> {
  const isRedirect = response.to.responseMode === 'query.jwt'
  return goTo(
    isRedirect ? responseAddress(await signResponse(context.oauth, response)) : await answerAddress(context, response),
  )
}

/** Answers the app with an error, and reports the refusal. */
export function refuseRequest(
  context: FlowContext,
  to: ReturnAddress,
  clientId: string,
  error: OAuthError,
): Promise<Response> {
  context.oauth.refused({ endpoint: 'authorize', clientId, error })
  return answerApp(context, errorResponse(context.config.issuer, to, error))
}

/** Ends a request that the person cancelled. Its `request_uri` is used, as by a completion (RFC 9126 §4, §7.3). */
export async function cancelRequest(context: FlowContext, request: AuthorizationRequest): Promise<Response> {
  await context.oauth.store.removePushedRequest(request.id)
  return goTo(await denialAddress(context, request))
}

/** Returns the address that answers the app with `access_denied`; "cancel" and error pages lead there. */
function denialAddress(context: FlowContext, to: ReturnAddress): Promise<string> {
  const denied = new OAuthError('access_denied', 'The person did not finish the request.')
  return answerAddress(context, errorResponse(context.config.issuer, to, denied))
}

/**
 * Ends a request that cannot continue in this browser: shows an error page with a link back to the app. A silent request
 * gets `login_required` instead, also in a frame without cookies (OpenID Connect Core §3.1.2.1).
 */
export async function answerDeadEnd(
  context: FlowContext,
  to: AuthorizationRequest,
  problem: Problem,
  languages: string | undefined,
): Promise<Response> {
  if (!to.prompt.includes('none'))
    return showProblem(context, { ...problem, back: await denialAddress(context, to) }, languages)
  const error = new OAuthError('login_required', 'The person must sign in.', `silent request: ${problem.kind}`)
  return refuseRequest(context, to, to.clientId, error)
}

/**
 * Not bound to a browser: the authorization endpoint seals answers on the issuer's host, which receives no cookies.
 */
const kind: TokenKind = {
  purpose: 'seal-answer',
  // The same lifetime as the sealed problem of the error page, which links to this answer.
  seconds: 24 * 3600,
  longest: 12 * 1024,
}

/** Returns an address that answers the app whenever it is opened: a JWT is signed only then, because it expires soon. */
async function answerAddress(context: FlowContext, { to, parameters }: AuthorizationResponse): Promise<string> {
  if (to.responseMode === 'query') return responseAddress({ to, parameters })
  const { clientId, redirectUri, responseMode, uiLocales } = to
  const response = { to: { clientId, redirectUri, responseMode }, parameters }
  const r = sealToken(context, kind, 'bearer', response)
  return pathWith(`${context.config.accountUrl}/return`, { r, ui_locales: uiLocales })
}

type ReturnContext = FlowContext & { config: Offered & { brand: Pick<Brand, 'texts'> } }

/**
 * GET /return: answers with the form of response_mode form_post (OAuth 2.0 Form Post Response Mode §2), or redirects
 * with a newly signed JWT for `query.jwt`.
 */
export async function answerReturn(context: ReturnContext, request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const languages = searchParams.get('ui_locales') ?? undefined
  const opened = openToken<AuthorizationResponse>(context, kind, 'bearer', searchParams.get('r') ?? '')
  if (!opened) return showProblem(context, { kind: 'unreadable_request' }, languages)
  const { responseMode } = opened.to
  if (responseMode === 'query.jwt') return answerApp(context, opened)
  const answer = isSignedMode(responseMode) ? await signResponse(context.oauth, opened) : opened
  const nonce = context.random(16).toString('base64url')
  const chosen = readCookie(request.headers.get('cookie'), 'postern_language')
  const accepted = acceptedLanguages(request.headers.get('accept-language'))
  const lang = chooseLanguage(context.config, chosen, ...requestedLanguages(languages ?? ''), ...accepted)
  const { title, button } = textsOf(context.config.brand, lang).return
  return new Response(formPostPage(answer, { nonce, lang, title, button }), {
    headers: { ...pageHeaders(context.config, nonce), 'content-type': 'text/html; charset=utf-8' },
  })
}

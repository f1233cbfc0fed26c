import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { readCookie } from '#lib/http/cookies'
import { pageHeaders } from '#lib/http/headers'
import { type Problem, showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import type { AuthorizationRequest, ReturnAddress } from '#lib/oauth/authorize/request'
import { type AuthorizationResponse, errorResponse, formPostPage, responseAddress } from '#lib/oauth/authorize/response'
import { OAuthError } from '#lib/oauth/error'
import type { Context } from '#lib/server/compose/context'
import { acceptedLanguages, chooseLocale } from '#lib/text/locales'
import { messagesFor } from '#lib/text/messages'

/** Answers the app in the way it asked for: by redirect, or by a page that posts itself. */
export const answerApp = async (context: Context, response: AuthorizationResponse): Promise<Response> =>
  goTo(await answerAddress(context, response))

/** The address that tells the app "access denied": where every dead end leads back to. */
export function wayBack(context: Context, to: ReturnAddress): Promise<string> {
  const denied = new OAuthError('access_denied', 'The person did not finish the request.')
  return answerAddress(context, errorResponse(context.config.issuer, to, denied))
}

/** A dead end: the person is told, with a way back. A silent request shows no page, also where a frame has no cookies (Core §3.1.2.1). */
export async function answerDeadEnd(context: Context, to: AuthorizationRequest, problem: Problem): Promise<Response> {
  if (!to.prompt.includes('none')) return showProblem(context, { ...problem, back: await wayBack(context, to) })
  const error = new OAuthError('login_required', 'The person must sign in.', `silent request: ${problem.kind}`)
  context.oauth.refused({ endpoint: 'authorize', clientId: to.clientId, error })
  return answerApp(context, errorResponse(context.config.issuer, to, error))
}

/** Bound to no browser: the authorization endpoint makes some of them, on the issuer's host, which gets no cookies. */
const kind: TokenKind = {
  purpose: 'seal-answer',
  // As long as the error page, which links to such an answer.
  seconds: 24 * 3600,
  longest: 12 * 1024,
}

async function answerAddress(context: Context, response: AuthorizationResponse): Promise<string> {
  if (response.to.responseMode === 'query') return responseAddress(response)
  const sealed = await sealToken(context, kind, 'bearer', response)
  return pathWith(`${context.config.accountUrl}/return`, { r: sealed })
}

/** GET /return: the page of response_mode form_post (OAuth 2.0 Form Post Response Mode §2). */
export async function answerReturn(context: Context, request: Request): Promise<Response> {
  const sealed = new URL(request.url).searchParams.get('r') ?? ''
  const answer = await openToken<AuthorizationResponse>(context, kind, 'bearer', sealed)
  if (!answer) return showProblem(context, { kind: 'unreadable_request' })
  const nonce = context.random(16).toString('base64url')
  const chosen = readCookie(request.headers.get('cookie'), 'postern_language')
  const lang = chooseLocale(chosen, ...acceptedLanguages(request.headers.get('accept-language')))
  const { title, button } = messagesFor(lang).return
  return new Response(formPostPage(answer, { nonce, lang, title, button }), {
    headers: { ...pageHeaders(context.config, nonce), 'content-type': 'text/html; charset=utf-8' },
  })
}

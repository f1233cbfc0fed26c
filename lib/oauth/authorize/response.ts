import { withParameters } from '#lib/oauth/client/redirect-uri'
import type { OAuthError } from '#lib/oauth/error'
import { escapeHtml } from '#lib/text/escape-html'
import type { ReturnAddress } from './request.ts'

/** The parameters of an answer and its destination; every answer has `iss` (RFC 9207). */
export type AuthorizationResponse = { to: ReturnAddress; parameters: Record<string, string | undefined> }

export const successResponse = (issuer: string, to: ReturnAddress, code: string): AuthorizationResponse => ({
  to,
  parameters: { code, state: to.state, iss: issuer },
})

export const errorResponse = (issuer: string, to: ReturnAddress, error: OAuthError): AuthorizationResponse => ({
  to,
  parameters: { error: error.code, error_description: error.description, state: to.state, iss: issuer },
})

/** Returns the redirect of response_mode query; characters beyond ASCII are encoded as a browser encodes them. */
export const responseAddress = ({ to, parameters }: AuthorizationResponse): string =>
  withParameters(to.redirectUri, parameters).replace(/[^\x21-\x7e]+/gu, encodeURIComponent)

/** Returns the page of response_mode form_post, which submits itself; it has a button for browsers without script (Form Post Response Mode §2). */
export function formPostPage(
  { to, parameters }: AuthorizationResponse,
  words: { nonce: string; lang: string; title: string; button: string },
) {
  const inputs = Object.entries(parameters)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
  return `<!doctype html><html lang="${escapeHtml(words.lang)}"><head><meta charset="utf-8"><title>${escapeHtml(words.title)}</title></head>
<body><form method="post" action="${escapeHtml(to.redirectUri)}">${inputs.join('')}<noscript><button type="submit">${escapeHtml(words.button)}</button></noscript></form>
<script nonce="${words.nonce}">document.forms[0].submit()</script></body></html>`
}

import { openToBrowsers } from '#lib/http/headers'
import { proofAlgs } from '#lib/oauth/dpop/proof-key'
import { readForm } from '#lib/oauth/endpoint'
import { OAuthError, statusOf } from '#lib/oauth/error'

/** How a token was presented: in the Authorization header by one of two schemes, in a form, or in the query. */
export type PresentedToken = { text: string; scheme: Scheme; place: 'header' | 'form' | 'query' }

/** The schemes of RFC 6750 §2.1 and RFC 9449 §7.1. */
export type Scheme = 'Bearer' | 'DPoP'

/** Returns the access token of a request; refuses a request with several tokens. */
export async function readPresented(request: Request): Promise<PresentedToken | undefined> {
  const [, name, header] = /^(bearer|dpop) +(.+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  const form = await tokenInForm(request)
  if (header !== undefined && form !== undefined) throw refuseToken('invalid_request', 'two access tokens')
  if (name && header !== undefined)
    return { text: header, scheme: name.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', place: 'header' }
  if (form !== undefined) return { text: form, scheme: 'Bearer', place: 'form' }
  const query = new URL(request.url).searchParams.get('access_token')
  return query === null ? undefined : { text: query, scheme: 'Bearer', place: 'query' }
}

/** Returns the access token in the body of a form POST (RFC 6750 §2.2). */
async function tokenInForm(request: Request): Promise<string | undefined> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '')
  if (request.method !== 'POST' || !isForm) return undefined
  return (await readForm(request, new Set(['access_token']))).get('access_token')
}

type TokenError = 'invalid_request' | 'invalid_token' | 'insufficient_scope'
const descriptions: Record<TokenError, string> = {
  invalid_request: 'Send one access token: in the Authorization header, or as access_token in the form of a POST.',
  invalid_token: 'The access token is invalid, expired or revoked.',
  insufficient_scope: 'The access token must have the openid scope.',
}

/** Returns the refusal of an access token (RFC 6750 §3.1). */
export const refuseToken = (code: TokenError, reason: string): OAuthError =>
  new OAuthError(code, descriptions[code], reason)

/** Answers a request without a token: the challenge has no error code (RFC 6750 §3.1, RFC 9449 §7.2). */
export const unauthenticated = (scheme: Scheme): Response =>
  challenge(401, scheme === 'DPoP' ? `Bearer, DPoP ${algs}` : 'Bearer')

/** Answers a refusal with the challenge of the scheme that the request used (RFC 6750 §3, RFC 9449 §7.1). */
export function refusal(scheme: Scheme, { code, description }: OAuthError): Response {
  const parameters = [
    `error="${code}"`,
    `error_description="${description}"`,
    ...(code === 'insufficient_scope' ? ['scope="openid"'] : []),
    ...(scheme === 'DPoP' ? [algs] : []),
  ]
  const aboutProof = code === 'invalid_dpop_proof' || code === 'use_dpop_nonce'
  return challenge(aboutProof ? 401 : statusOf(code), `${scheme} ${parameters.join(', ')}`)
}

const algs = `algs="${proofAlgs.join(' ')}"`

const challenge = (status: number, value: string) =>
  new Response(null, {
    status,
    headers: { 'www-authenticate': value, 'cache-control': 'no-store', ...openToBrowsers },
  })

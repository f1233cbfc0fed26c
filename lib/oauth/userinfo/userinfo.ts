import { openToBrowsers } from '#lib/http/headers'
import { profileOf } from '#lib/oauth/client/profile'
import type { OAuthContext } from '#lib/oauth/context'
import { json, readForm } from '#lib/oauth/endpoint'
import { OAuthError, statusOf } from '#lib/oauth/error'
import { scopesInForce, scopesWithin } from '#lib/oauth/scope'
import { isExpired, readAccessToken } from '#lib/oauth/token/signed-tokens'
import { setClaims, userinfoClaims } from './claims.ts'
import { emailClaim } from './email-claim.ts'

/** GET and POST /userinfo (specification §4.6, OpenID Connect Core §5.3). */
export async function answerUserinfo(context: OAuthContext, request: Request): Promise<Response> {
  const header = /^bearer +(.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  const body = await tokenInForm(request)
  if (body instanceof OAuthError) return refuse(context, 'invalid_request', body.reason)
  if (header !== undefined && body !== undefined) return refuse(context, 'invalid_request', 'two access tokens')
  // RFC 6750 §3.1: the challenge has no error code if the request has no token or another scheme.
  const bearer = header ?? body
  if (bearer === undefined) return challenge(401, '')
  const token = await readAccessToken(context, bearer)
  if (!token) return refuse(context, 'invalid_token', 'not an access token of this issuer')
  if (isExpired(context, token)) return refuse(context, 'invalid_token', 'expired access token', token.clientId)
  const grant = await context.store.findGrant(token.authorizationId, token.jti)
  if (!grant) return refuse(context, 'invalid_token', 'revoked access token', token.clientId)
  const { stableUserinfo, tokenInForm: mayUseForm } = profileOf(grant.appProfile)
  if (body !== undefined && !mayUseForm) return challenge(401, '')
  const scopes = scopesWithin(token.scopes, scopesInForce(grant))
  if (!scopes.includes('openid')) return refuse(context, 'insufficient_scope', 'openid is not granted', token.clientId)
  const claimsOf = stableUserinfo ? userinfoClaims : setClaims
  const claims = claimsOf(context, { profile: grant.person, subject: grant.subject, scopes })
  return json({ ...claims, ...emailClaim(context, grant, scopes) })
}

/** Returns the access token in the form of a POST (RFC 6750 §2.2), or why the form cannot be read. */
async function tokenInForm(request: Request): Promise<string | OAuthError | undefined> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '')
  if (request.method !== 'POST' || !isForm) return undefined
  try {
    return (await readForm(request, new Set(['access_token']))).get('access_token')
  } catch (fault) {
    if (fault instanceof OAuthError) return fault
    throw fault
  }
}

type BearerError = 'invalid_request' | 'invalid_token' | 'insufficient_scope'
const descriptions: Record<BearerError, string> = {
  invalid_request: 'Send one access token: in the Authorization header, or as access_token in the form of a POST.',
  invalid_token: 'The access token is invalid, expired or revoked.',
  insufficient_scope: 'The access token must have the openid scope.',
}

function refuse(context: OAuthContext, code: BearerError, reason: string, clientId?: string): Response {
  const error = new OAuthError(code, descriptions[code], reason)
  context.refused({ endpoint: 'userinfo', clientId, error })
  const scope = code === 'insufficient_scope' ? ', scope="openid"' : ''
  return challenge(statusOf(code), ` error="${code}", error_description="${descriptions[code]}"${scope}`)
}

/** Returns the challenge of WWW-Authenticate (RFC 6750 §3). */
const challenge = (status: number, parameters: string) =>
  new Response(null, {
    status,
    headers: { 'www-authenticate': `Bearer${parameters}`, 'cache-control': 'no-store', ...openToBrowsers },
  })

import { profileOf } from '#lib/oauth/client/profile'
import type { OAuthContext } from '#lib/oauth/context'
import { checkPossession } from '#lib/oauth/dpop/possession'
import { claimProof } from '#lib/oauth/dpop/token-proof'
import { interactionOf, json, withHeaders } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'
import { scopesInForce, scopesWithin } from '#lib/oauth/scope'
import { isExpired, readAccessToken } from '#lib/oauth/token/signed-tokens'
import { setClaims, userinfoClaims, withRequestedValues } from './claims.ts'
import { emailClaim } from './email-claim.ts'
import { readPresented, refusal, refuseToken, type Scheme, unauthenticated } from './presented-token.ts'

/** A request: the scheme of its challenge, its app once the token is read, and the headers that every answer gets. */
type Call = { request: Request; scheme: Scheme; clientId: string | undefined; headers: Record<string, string> }

/** GET and POST /userinfo (specification §4.6, OpenID Connect Core §5.3). */
export async function answerUserinfo(context: OAuthContext, request: Request): Promise<Response> {
  const call: Call = { request, scheme: 'Bearer', clientId: undefined, headers: interactionOf(request) }
  try {
    return withHeaders(await answer(context, call), call.headers)
  } catch (fault) {
    if (!(fault instanceof OAuthError)) throw fault
    context.refused({ endpoint: 'userinfo', clientId: call.clientId, error: fault })
    return withHeaders(refusal(call.scheme, fault), call.headers)
  }
}

async function answer(context: OAuthContext, call: Call): Promise<Response> {
  const presented = await readPresented(call.request)
  if (!presented) return unauthenticated('Bearer')
  const token = await readAccessToken(context, presented.text)
  const isBound = token?.jkt !== undefined
  // A token in the query (RFC 6750 §2.3) counts as absent, unless it is bound to a key: `checkPossession` refuses it
  // with an error.
  if (presented.place === 'query' && !isBound) return unauthenticated('Bearer')
  call.scheme = isBound ? 'DPoP' : presented.scheme
  if (!token && call.scheme === 'DPoP' && !call.request.headers.has('dpop')) return unauthenticated('DPoP')
  if (!token) throw refuseToken('invalid_token', 'not an access token of this issuer')
  call.clientId = token.clientId
  // A token for an API never opens userinfo, so that the API cannot read the profile with it (RFC 8707 §3).
  if (token.audience !== context.issuer) throw refuseToken('invalid_token', 'the access token is for an API')
  if (isExpired(context, token)) throw refuseToken('invalid_token', 'expired access token')
  const proof = await checkPossession(context, { ...call, endpoint: `${context.issuer}/userinfo` }, presented, token)
  const grant = await context.store.findGrant(token.authorizationId, token.jti)
  if (!grant) throw refuseToken('invalid_token', 'revoked access token')
  const { stableUserinfo, tokenInForm } = profileOf(grant.appProfile)
  if (presented.place === 'form' && !tokenInForm) return unauthenticated('Bearer')
  const scopes = scopesWithin(token.scopes, scopesInForce(grant))
  if (!scopes.includes('openid')) throw refuseToken('insufficient_scope', 'openid is not granted')
  if (proof) await claimProof(context, proof)
  const claimsOf = stableUserinfo ? userinfoClaims : setClaims
  const claims = claimsOf(context, { profile: grant.person, subject: grant.subject, scopes })
  const all = { ...claims, ...emailClaim(context, grant, scopes) }
  return json(withRequestedValues(all, grant.claimValues?.userinfo))
}

import { isSha256, sha256 } from '#lib/crypto/hash'
import { refreshSeconds, requestIdOf, secondsKept } from '#lib/oauth/authorize/complete'
import type { Client } from '#lib/oauth/client/client'
import { profileOf } from '#lib/oauth/client/profile'
import type { OAuthContext } from '#lib/oauth/context'
import type { Proof } from '#lib/oauth/dpop/proof'
import { claimProof, proofMissing } from '#lib/oauth/dpop/token-proof'
import { type Parameters, requireParameter } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'
import { isVerifier, verifierMatches } from '#lib/oauth/pkce'
import { grantedFor, namedApi } from '#lib/oauth/resource'
import { maySignIn, scopesInForce } from '#lib/oauth/scope'
import type { Authorization } from '#lib/oauth/store'
import { writeRefreshToken } from './refresh-token.ts'
import { beginTokens, type TokenResponse } from './signed-tokens.ts'

const refusal =
  'The authorization code is invalid, expired, already used, or does not match the client_id, redirect_uri or code_verifier.'
const refuse = (reason: string, detail = {}) => new OAuthError('invalid_grant', refusal, reason, detail)

/** Exchanges a code for tokens (specification §3, §4.3; RFC 6749 §4.1.3; RFC 7636 §4.6). */
export async function exchangeCode(
  context: OAuthContext,
  client: Client,
  form: Parameters,
  proof: Proof | undefined,
): Promise<TokenResponse> {
  const code = requireParameter(form, 'code')
  const redirectUri = requireParameter(form, 'redirect_uri')
  const needsVerifier = profileOf(client.profile).pkceRequired.includes(client.kind)
  const verifier = needsVerifier ? requireParameter(form, 'code_verifier') : form.get('code_verifier')
  const authorization = await findByCode(context, code)
  if (!authorization) throw refuse('unknown code')
  checkOwnership(authorization, client, { redirectUri, verifier })
  checkBinding(authorization, proof)
  await checkUnspent(context, authorization)
  if (authorization.codeExpiresAt <= context.now())
    throw refuse('expired code', { secondsLate: secondsLate(context, authorization) })
  if (!authorization.active) throw refuse('the app or the person was disabled')
  if (!maySignIn(authorization)) throw refuse('the app may no longer ask for openid')
  const api = await namedApi(context, client, form)
  const scopes = api ? grantedFor(api, authorization) : scopesInForce(authorization)
  const refresh = client.kind === 'public' ? undefined : context.random(32).toString('base64url')
  const seconds = accessTokenSeconds(context, client, proof)
  if (proof) await claimProof(context, proof)
  const tokens = await beginTokens(context, authorization, {
    client,
    api,
    scopes,
    refreshToken: refresh && writeRefreshToken(context.secrets, { authorizationId: authorization.id, secret: refresh }),
    nonce: true,
    jkt: proof?.jkt,
    seconds,
  })
  await spend(context, authorization, client, refresh)
  context.usage.count(client.id, 'sign_ins')
  return tokens()
}

/** Finds the row by the request that the code names. The codes of version 0.1.0 name none: each is a bare HMAC-SHA-256. */
async function findByCode({ store }: OAuthContext, code: string): Promise<Authorization | undefined> {
  const [codeHash, requestId] = [sha256(code), requestIdOf(code)]
  if (requestId === undefined) return isSha256(code) ? store.findByCode(codeHash) : undefined
  const authorization = await store.findByRequest(requestId)
  return authorization?.codeHash === codeHash ? authorization : undefined
}

/**
 * Refuses a code of another app, a different redirect URI and a wrong verifier. A refusal changes nothing, so that
 * the rightful app can still use the code (OAuth 2.1 §7.5.2).
 */
function checkOwnership(
  authorization: Authorization,
  client: Client,
  sent: { redirectUri: string; verifier: string | undefined },
) {
  if (authorization.clientId !== client.id) throw refuse('the code belongs to another app')
  if (authorization.redirectUri !== sent.redirectUri) {
    throw refuse('redirect_uri differs from the authorization request', {
      received: sent.redirectUri.slice(0, 2000),
      registered: [authorization.redirectUri],
    })
  }
  checkVerifier(authorization.challenge, sent.verifier)
}

/** A code that is bound to a DPoP key needs a proof of that key (RFC 9449 §10). */
function checkBinding({ dpopJkt }: Authorization, proof: Proof | undefined) {
  if (dpopJkt === undefined) return
  if (!proof) throw proofMissing('the code is bound to a DPoP key by dpop_jkt')
  if (proof.jkt !== dpopJkt) throw refuse('the DPoP key differs from dpop_jkt of the authorization request')
}

/**
 * Returns the lifetime of an access token. A public app gets no refresh tokens, so its team may choose a longer
 * lifetime for access tokens that are bound to a key.
 */
function accessTokenSeconds({ lifetimes }: OAuthContext, { kind, registration }: Client, proof: Proof | undefined) {
  const chosen = kind === 'public' && proof ? registration.dpop_access_token_seconds : undefined
  return chosen || lifetimes.accessToken
}

/**
 * Requires the verifier of the challenge, and refuses a verifier without a challenge: an attacker may have removed the
 * challenge from the request (PKCE downgrade, RFC 9700 §4.8.2).
 */
function checkVerifier(challenge: string | undefined, verifier: string | undefined) {
  if (challenge === undefined && verifier === undefined) return
  if (challenge === undefined) throw refuse('code_verifier sent for a code without code_challenge')
  if (verifier === undefined) throw refuse('code_verifier is missing for a code with code_challenge')
  if (!isVerifier(verifier)) throw refuse('code_verifier is not 43 to 128 unreserved characters')
  if (!verifierMatches(verifier, challenge)) throw refuse('code_verifier does not match code_challenge')
}

/** Refuses a spent code; a replay by the right app with the right verifier revokes the tokens of the first use. */
async function checkUnspent(context: OAuthContext, authorization: Authorization) {
  if (authorization.revokedAt) throw refuse('the authorization was revoked', spentAt(context, authorization))
  if (authorization.codeSpentAt) await revokeReplayed(context, authorization)
}

/** Returns how long ago the code was used; 0 if another request has just used it. */
const spentAt = ({ now }: OAuthContext, { codeSpentAt, revokedAt }: Authorization) =>
  codeSpentAt || !revokedAt
    ? { secondsSinceUse: Math.round((now().getTime() - (codeSpentAt ?? now()).getTime()) / 1000) }
    : {}

async function revokeReplayed(context: OAuthContext, authorization: Authorization): Promise<never> {
  await context.store.revokeAuthorization(authorization.id, context.now())
  throw refuse('the code was used before; its tokens are revoked', spentAt(context, authorization))
}

async function spend(context: OAuthContext, authorization: Authorization, client: Client, refresh: string | undefined) {
  const now = context.now()
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const { lifetimes } = context
  const { endsWithSession } = authorization
  const keepUntil = after(secondsKept(lifetimes, client, endsWithSession))
  const spent = await context.store.spendCode({
    requestId: authorization.requestId,
    now,
    refreshHash: refresh && sha256(refresh),
    refreshIdleUntil: refresh ? after(lifetimes.refreshIdle) : undefined,
    refreshUntil: refresh ? after(refreshSeconds(lifetimes, endsWithSession)) : undefined,
    // The approval already stored a late enough time, unless settings, the registration or the version changed since.
    keepUntil: authorization.keepUntil < keepUntil ? keepUntil : undefined,
  })
  if (!spent) await revokeReplayed(context, authorization)
}

const secondsLate = (context: OAuthContext, { codeExpiresAt }: Authorization) =>
  Math.round((context.now().getTime() - codeExpiresAt.getTime()) / 1000)

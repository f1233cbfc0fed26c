import type { Client } from '#lib/oauth/client/client'
import type { OAuthContext } from '#lib/oauth/context'
import { OAuthError } from '#lib/oauth/error'
import { type Parameters, requireParameter } from '#lib/oauth/form'
import { coversScopes, maySignIn, parseScope, scopesInForce, scopesWithin } from '#lib/oauth/scope'
import type { Authorization } from '#lib/oauth/store'
import { mintTokens, type TokenResponse } from './mint.ts'
import { readRefreshToken, rotate, writeRefreshToken } from './rotate-refresh-token.ts'

const refuse = (reason: string) =>
  new OAuthError(
    'invalid_grant',
    'The refresh token is invalid, expired, revoked or already used. Send a new authorization request.',
    reason,
  )

/** Answers a refresh (specification §3, §4.4; RFC 6749 §6); a retry gets the same successor. */
export async function refreshTokens(context: OAuthContext, client: Client, form: Parameters): Promise<TokenResponse> {
  if (client.kind === 'public') {
    throw new OAuthError(
      'unauthorized_client',
      'Public apps get no refresh tokens. Send a new authorization request.',
      'public app asked for a refresh',
    )
  }
  const presented = readRefreshToken(context.secrets, requireParameter(form, 'refresh_token'))
  if (!presented) throw refuse('not a refresh token of ours')
  const { authorization, successor } = await rotate(context, presented, (found) => checkGrant(found, client, form))
  return mintTokens(context, authorization, {
    scopes: narrowed(authorization, form),
    refreshToken: writeRefreshToken(context.secrets, { authorizationId: authorization.id, secret: successor }),
    nonce: false,
  })
}

/** Checks before any write: a request of a wrong app or scope must not rotate or revoke the token. */
function checkGrant(authorization: Authorization, client: Client, form: Parameters) {
  if (authorization.clientId !== client.id) throw refuse('the refresh token belongs to another app')
  if (authorization.revokedAt) throw refuse('the authorization was revoked')
  if (!authorization.active) throw refuse('the app or the person was disabled')
  if (!maySignIn(authorization)) throw refuse('the app may no longer ask for openid')
  narrowed(authorization, form)
}

/**
 * Returns the scopes of the new access token. A `scope` parameter can narrow them, never widen them (RFC 6749 §6). A granted
 * scope that the app is no longer registered for is left out without an error, because apps repeat their scopes.
 */
function narrowed(authorization: Authorization, form: Parameters): string[] {
  const requested = form.get('scope')
  if (requested === undefined) return scopesInForce(authorization)
  const scopes = parseScope(requested)
  if (scopes.includes('openid') && coversScopes(authorization.scopes, scopes))
    return scopesWithin(scopes, scopesInForce(authorization))
  throw new OAuthError(
    'invalid_scope',
    'The scope must include openid, and only scopes that were granted.',
    'refresh with a wider scope',
  )
}

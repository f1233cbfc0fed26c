import { equalText, hmac, sha256 } from '#lib/crypto/hash'
import type { Api } from '#lib/oauth/client/api'
import type { Client } from '#lib/oauth/client/client'
import { profileOf } from '#lib/oauth/client/profile'
import type { OAuthContext, Secrets } from '#lib/oauth/context'
import type { Proof } from '#lib/oauth/dpop/proof'
import { claimProof } from '#lib/oauth/dpop/token-proof'
import { type Parameters, requireParameter } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'
import { grantedFor, namedApi } from '#lib/oauth/resource'
import { coversScopes, grantedOfBundle, maySignIn, parseScope, scopesInForce, scopesWithin } from '#lib/oauth/scope'
import type { Authorization, RefreshFinding } from '#lib/oauth/store'
import { isAheadOfBackup } from './restored-chain.ts'
import { beginTokens, type TokenResponse } from './signed-tokens.ts'

const refuse = (reason: string) =>
  new OAuthError(
    'invalid_grant',
    'The refresh token is invalid, expired, revoked or already used. Send a new authorization request.',
    reason,
  )

/** Answers a refresh (specification §3, §4.4; RFC 6749 §6); a retry gets the same successor. */
export async function refreshTokens(
  context: OAuthContext,
  client: Client,
  form: Parameters,
  proof: Proof | undefined,
): Promise<TokenResponse> {
  if (client.kind === 'public') {
    throw new OAuthError(
      'unauthorized_client',
      'Public apps get no refresh tokens. Send a new authorization request.',
      'public app asked for a refresh',
    )
  }
  const presented = readRefreshToken(context.secrets, requireParameter(form, 'refresh_token'))
  if (!presented) throw refuse('not a refresh token of ours')
  const api = await namedApi(context, client, form)
  // The refresh token is bound to the app, which has authenticated, so the proof may be of a new key (RFC 9449 §5).
  if (proof) await claimProof(context, proof)
  const { refreshRotates } = profileOf(client.profile)
  const check = (found: Authorization) => checkGrant(found, client, form, api)
  const begin = (authorization: Authorization, successor: string) =>
    beginTokens(context, authorization, {
      client,
      api,
      scopes: narrowed(authorization, form, api),
      refreshToken: writeRefreshToken(context.secrets, { authorizationId: authorization.id, secret: successor }),
      nonce: false,
      jkt: proof?.jkt,
      seconds: context.lifetimes.accessToken,
    })
  const { authorization, tokens } = await redeem(context, presented, { rotates: refreshRotates, check, begin })
  context.usage.count(client.id, 'refreshes')
  if (!api && isEarly(context, authorization)) context.usage.count(client.id, 'early_refreshes')
  return tokens()
}

/**
 * Returns whether the access token before this refresh had more than half of its life. Its issue restarted the idle
 * time. An app that refreshes for several APIs does so in turn, so only refreshes without an API are judged.
 */
function isEarly({ now, lifetimes }: OAuthContext, { refreshIdleUntil }: Authorization): boolean {
  if (!refreshIdleUntil) return false
  const age = now().getTime() - (refreshIdleUntil.getTime() - lifetimes.refreshIdle * 1000)
  return age < (lifetimes.accessToken * 1000) / 2
}

/** Runs before any write: a request by a wrong app or for a wrong scope must not rotate or revoke the token. */
function checkGrant(authorization: Authorization, client: Client, form: Parameters, api: Api | undefined) {
  if (authorization.clientId !== client.id) throw refuse('the refresh token belongs to another app')
  if (authorization.revokedAt) throw refuse('the authorization was revoked')
  if (!authorization.active) throw refuse('the app or the person was disabled')
  if (!maySignIn(authorization)) throw refuse('the app may no longer ask for openid')
  narrowed(authorization, form, api)
}

/**
 * Returns the scopes of the new access token. A `scope` parameter can narrow them, never widen them (RFC 6749 §6).
 * Because apps repeat their scopes, a granted scope that the app is no longer registered for is left out without an
 * error, and `profile` requests those of its nine scopes that are granted.
 */
function narrowed(authorization: Authorization, form: Parameters, api: Api | undefined): string[] {
  const requested = form.get('scope')
  if (api) return narrowedFor(api, authorization, requested)
  if (requested === undefined) return scopesInForce(authorization)
  const scopes = grantedOfBundle(parseScope(requested), authorization.scopes)
  if (scopes.includes('openid') && coversScopes(authorization.scopes, scopes))
    return scopesWithin(scopes, scopesInForce(authorization))
  throw new OAuthError(
    'invalid_scope',
    'The scope must include openid, and only scopes that were granted.',
    'refresh with a wider scope',
    { scopes: requested, granted: authorization.scopes },
  )
}

/** Returns the scopes of a token for an API, narrowed by a `scope` parameter. */
function narrowedFor(api: Api, authorization: Authorization, requested: string | undefined): string[] {
  const granted = grantedFor(api, authorization)
  if (requested === undefined) return granted
  const asked = parseScope(requested)
  const scopes = granted.filter((scope) => asked.includes(scope))
  if (scopes.length > 0 && coversScopes(authorization.scopes, grantedOfBundle(asked, authorization.scopes)))
    return scopes
  throw new OAuthError(
    'invalid_scope',
    'The scope must include a scope of the API, and only scopes that were granted.',
    'refresh with a wider scope',
    { scopes: requested, granted: authorization.scopes },
  )
}

/** The parts of a refresh token, which is `rt_{authorization id}.{secret}.{tag}` (design §4). */
export type RefreshToken = { authorizationId: string; secret: string }

/** Writes a refresh token. Its tag is a MAC: only a token that Postern issued can count as a replay. */
export function writeRefreshToken(secrets: Secrets, { authorizationId, secret }: RefreshToken): string {
  return `rt_${authorizationId}.${secret}.${tagOf(secrets.current('refresh-tag'), authorizationId, secret)}`
}

/** A refresh token that Postern issued, and the position of the master key whose tag it has. */
type Presented = RefreshToken & { master: number }

/** Reads a refresh token; undefined if its tag is wrong. */
export function readRefreshToken(secrets: Secrets, token: string): Presented | undefined {
  const [, authorizationId, secret, tag] =
    /^rt_([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{22})$/.exec(token) ?? []
  if (!authorizationId || !secret || !tag) return undefined
  const master = secrets.all('refresh-tag').findIndex((key) => equalText(tag, tagOf(key, authorizationId, secret)))
  return master === -1 ? undefined : { authorizationId, secret, master }
}

const tagOf = (key: Uint8Array, id: string, secret: string) =>
  hmac(key, id, secret).subarray(0, 16).toString('base64url')

/** A redeemed refresh token: its authorization, and a function that returns the tokens it is exchanged for. */
type Redeemed = { authorization: Authorization; tokens(): Promise<TokenResponse> }
type Rules = {
  rotates: boolean
  check(found: Authorization): void
  /** Begins to mint the tokens, among them a refresh token of this secret. */
  begin(found: Authorization, successor: string): Promise<() => Promise<TokenResponse>>
}

/**
 * Redeems a refresh token by one compare-and-set (design §4). The current token gets a successor, or stays current in a
 * profile without rotation. For a short time, the previous token is a retry and gets the same successor. Any older token
 * is a replay and ends the authorization, unless a restore has lost the rotations before it (`isAheadOfBackup`).
 */
async function redeem(context: OAuthContext, token: Presented, rules: Rules): Promise<Redeemed> {
  const { rotates, check, begin } = rules
  const presented = {
    id: token.authorizationId,
    hash: sha256(token.secret),
    now: context.now(),
    retrySeconds: context.lifetimes.refreshRetry,
  }
  const found = await context.store.findForRefresh(presented)
  if (!found) throw refuse('unknown authorization')
  check(found.authorization)
  const isAfterRestore = found.presented === 'replayed' && (await isAheadOfBackup(context.secrets, token, found))
  if (found.presented === 'replayed' && !isAfterRestore)
    return endReplayed(context, found.authorization.clientId, presented)
  if (found.expired) throw refuse('the refresh token is expired')
  if (found.presented === 'retry') return answerAgain(context, token, found, rules)
  const { id, hash, now } = presented
  const refreshIdleUntil = new Date(now.getTime() + context.lifetimes.refreshIdle * 1000)
  const successor = rotates
    ? (successorsOf(context.secrets, found.authorization.salt, token.secret)[0] as string)
    : token.secret
  const { currentHash: current } = found
  const tokens = await begin(found.authorization, successor)
  const isRedeemed =
    rotates || isAfterRestore
      ? await context.store.rotateRefresh({ id, current, from: hash, to: sha256(successor), now, refreshIdleUntil })
      : await context.store.extendRefresh({ id, hash, refreshIdleUntil })
  if (isRedeemed && isAfterRestore) context.restored(found.authorization.clientId)
  if (isRedeemed) return { authorization: found.authorization, tokens }
  return afterLosingTheRace(context, token, presented, rules)
}

/** Checks the token again, because another request rotated or revoked it between the read and the write. */
async function afterLosingTheRace(
  context: OAuthContext,
  token: RefreshToken,
  presented: { id: string; hash: string; now: Date; retrySeconds: number },
  rules: Rules,
): Promise<Redeemed> {
  const found = await context.store.findForRefresh(presented)
  if (!found) throw refuse('unknown authorization')
  rules.check(found.authorization)
  if (found.presented === 'retry') return answerAgain(context, token, found, rules)
  return endReplayed(context, found.authorization.clientId, presented)
}

/**
 * Derives the current successor again, with the current or the previous master key, so that a retry gets the same
 * token.
 */
async function answerAgain(
  context: OAuthContext,
  token: RefreshToken,
  found: RefreshFinding,
  { begin }: Rules,
): Promise<Redeemed> {
  const { salt, clientId } = found.authorization
  context.usage.count(clientId, 'repeated_refreshes')
  const successor = successorsOf(context.secrets, salt, token.secret).find(
    (secret) => sha256(secret) === found.currentHash,
  )
  if (!successor) {
    throw new OAuthError(
      'temporarily_unavailable',
      'The new tokens are not available at the moment. Try again.',
      'the successor cannot be derived with the keys at hand',
    )
  }
  return { authorization: found.authorization, tokens: await begin(found.authorization, successor) }
}

/** Revokes the authorization; the revocation is committed before the refusal is sent. */
async function endReplayed(
  context: OAuthContext,
  clientId: string,
  presented: { id: string; hash: string; now: Date; retrySeconds: number },
): Promise<never> {
  const ended = await context.store.revokeReplayed(presented)
  context.usage.count(clientId, 'replayed_refreshes')
  throw refuse(
    ended
      ? 'a rotated-out refresh token was used; the authorization is revoked'
      : 'a rotated-out refresh token was used',
  )
}

/** Derives the successor of a refresh secret under each master key. A retry derives the same successors. */
function successorsOf(secrets: Secrets, salt: string, secret: string): string[] {
  return secrets.all('refresh-successor').map((key) => hmac(key, salt, secret).toString('base64url'))
}

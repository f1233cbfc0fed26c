import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK } from 'jose'
import { sha256 } from '#lib/crypto/hash'
import type { OAuthContext } from '#lib/oauth/context'
import type { Parameters } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'
import type { Client } from './client.ts'
import { profileOf } from './profile.ts'
import { fitsAlg } from './public-key.ts'

export type AssertionParts = { jwt: string; alg: string; kid: string; claims: ReturnType<typeof decodeJwt> }

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const mostAhead = 3600
const skew = 30

const refuse = (reason: string, detail: Record<string, string | number> = {}) =>
  new OAuthError(
    'invalid_client',
    'Client authentication failed. Check the client_id, the credentials and the authentication method.',
    reason,
    detail,
  )

/**
 * Parses an assertion without verifying it. Its `sub` names the client if the form has no client_id (RFC 7521 §4.2).
 */
export function readAssertion(form: Parameters): { clientId: string; assertion: AssertionParts } {
  if (form.get('client_assertion_type') !== assertionType)
    throw refuse(`client_assertion_type must be ${assertionType}`)
  const jwt = form.get('client_assertion') ?? ''
  const { claims, ...header } = decode(jwt)
  const clientId = form.get('client_id') ?? claims.sub
  if (typeof clientId !== 'string' || clientId.includes('\0')) throw refuse('the assertion names no client')
  return { clientId, assertion: { jwt, claims, ...header } }
}

function decode(jwt: string) {
  try {
    const header = decodeProtectedHeader(jwt)
    // A request object does not authenticate the app, although the app signed it (the reverse of RFC 9101 §10.8).
    if (/^(application\/)?oauth-authz-req\+jwt$/i.test(String(header.typ)))
      throw refuse('the assertion is a request object')
    if (typeof header.kid !== 'string') throw refuse('the assertion has no kid')
    // Extensions change what a signature covers (RFC 7515 §4.1.11, RFC 7797); none is supported.
    if ('crit' in header || 'b64' in header) throw refuse('the header of the assertion has crit or b64')
    return { alg: String(header.alg), kid: header.kid, claims: decodeJwt(jwt) }
  } catch (fault) {
    throw fault instanceof OAuthError ? fault : refuse('client_assertion is not a JWT')
  }
}

/**
 * Checks an assertion (specification §2.5, RFC 7523 §3): a signature by a registered key, the claims, and a jti that
 * was not used before. The jti is recorded last and atomically, so that only one of two racing copies passes.
 */
export async function checkAssertion(context: OAuthContext, client: Client, assertion: AssertionParts) {
  await checkSignature(client, assertion)
  const { claims } = assertion
  if (claims.iss !== client.id || claims.sub !== client.id)
    throw refuse('iss and sub of the assertion must be the client_id')
  checkAudience(context, client, claims.aud)
  const expiresAt = checkTimes(context, claims)
  const { jti } = claims
  if (typeof jti !== 'string' || jti.length < 1 || jti.length > 256) throw refuse('jti must have 1 to 256 characters')
  const fresh = await context.store.rememberAssertion(sha256(`${client.id}\0${jti}`), new Date((expiresAt + 60) * 1000))
  if (!fresh) throw refuse('the jti of the assertion was used before')
}

/** Checks the signature by the key that `kid` names, with an algorithm that the profile allows (RFC 7515 §10.7). */
async function checkSignature({ keys, profile }: Client, { jwt, alg: claimed, kid }: AssertionParts) {
  const { assertionAlgs } = profileOf(profile)
  const alg = assertionAlgs.find((name) => name === claimed)
  if (!alg) throw refuse(`the assertion is not signed with ${assertionAlgs.join(', ')}`, { alg: claimed.slice(0, 20) })
  const key = keys.find((known) => known.kid === kid)
  if (!key) throw refuse('no key with this kid is registered', { kid: kid.slice(0, 100) })
  if (!fitsAlg(key.jwk, alg)) throw refuse('the key with this kid is for another algorithm', { kid, alg })
  try {
    await compactVerify(jwt, await importJWK(key.jwk, alg), { algorithms: [alg] })
  } catch {
    throw refuse('the signature of the assertion is wrong', { kid })
  }
}

/** Refuses an assertion without an audience, or with one that the profile does not accept. */
function checkAudience(context: OAuthContext, client: Client, audience: string | string[] | undefined) {
  const { assertionAudiences, assertionAudienceList } = profileOf(client.profile)
  if (Array.isArray(audience) && !assertionAudienceList) throw refuse('aud of the assertion must be one string')
  const accepted = assertionAudiences(context.issuer)
  const named = typeof audience === 'string' ? [audience] : Array.isArray(audience) ? audience : []
  if (named.length === 0 || !named.every((name) => accepted.includes(name))) {
    throw refuse(`aud of the assertion must be ${accepted.join(' or ')}`, { aud: named.join(' ').slice(0, 300) })
  }
}

function checkTimes(context: OAuthContext, { exp, iat, nbf }: { exp?: number; iat?: number; nbf?: number }): number {
  const now = Math.floor(context.now().getTime() / 1000)
  if (typeof exp !== 'number' || !Number.isFinite(exp)) throw refuse('the assertion has no exp')
  if (typeof iat !== 'number') throw refuse('the assertion has no iat')
  if (nbf !== undefined && typeof nbf !== 'number') throw refuse('nbf of the assertion is not a number')
  if (exp <= now) throw refuse('the assertion is expired', { secondsLate: now - exp })
  if (exp > now + mostAhead)
    throw refuse('exp of the assertion is more than an hour ahead', { secondsAhead: exp - now })
  for (const time of [iat, nbf ?? iat]) {
    if (time > now + skew) throw refuse('the assertion is from the future', { secondsAhead: time - now })
  }
  return exp
}

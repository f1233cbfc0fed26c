import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK } from 'jose'
import { sha256 } from '#lib/crypto/hash'
import type { OAuthContext } from '#lib/oauth/context'
import type { Parameters } from '#lib/oauth/endpoint'
import { authenticationFailed, type ErrorDetail, OAuthError } from '#lib/oauth/error'
import { showValue } from '#lib/text/show-value'
import type { Client } from './client.ts'
import { profileOf } from './profile.ts'
import { fitsAlg } from './public-key.ts'

export type AssertionParts = { jwt: string; alg: string; kid: string; claims: ReturnType<typeof decodeJwt> }

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const mostAhead = 3600
const skew = 30

const refuse = (reason: string, detail: ErrorDetail = {}) =>
  new OAuthError('invalid_client', authenticationFailed, reason, detail)

/**
 * Refuses an assertion for a mistake that is visible in the assertion itself. The text does not depend on the app, so
 * it is the same for known and unknown apps.
 */
const mistake = (text: string, detail: ErrorDetail = {}, reason = text) =>
  new OAuthError('invalid_client', `${text}.`, reason, detail)

/**
 * Parses an assertion without verifying it. Its `sub` names the client if the form has no client_id (RFC 7521 §4.2).
 */
export function readAssertion(form: Parameters): { clientId: string; assertion: AssertionParts } {
  if (form.get('client_assertion_type') !== assertionType)
    throw mistake(`The client_assertion_type must be ${assertionType}`)
  const jwt = form.get('client_assertion') ?? ''
  const { claims, ...header } = decode(jwt)
  const clientId = form.get('client_id') ?? claims.sub
  if (typeof clientId !== 'string' || clientId.includes('\0')) throw mistake('The assertion names no client')
  return { clientId, assertion: { jwt, claims, ...header } }
}

function decode(jwt: string) {
  try {
    const header = decodeProtectedHeader(jwt)
    // A request object does not authenticate the app, although the app signed it (the reverse of RFC 9101 §10.8).
    if (/^(application\/)?oauth-authz-req\+jwt$/i.test(String(header.typ)))
      throw mistake('The assertion is a request object')
    if (typeof header.kid !== 'string') throw mistake('The assertion has no kid')
    // Extensions change what a signature covers (RFC 7515 §4.1.11, RFC 7797); none is supported.
    if ('crit' in header || 'b64' in header) throw mistake('The header of the assertion has crit or b64')
    return { alg: String(header.alg), kid: header.kid, claims: decodeJwt(jwt) }
  } catch (fault) {
    throw fault instanceof OAuthError ? fault : mistake('The client_assertion is not a JWT')
  }
}

/** Checks the claims of an assertion that do not depend on the app (RFC 7523 §3). Does not check the signature. */
export function checkClaims({ now }: OAuthContext, clientId: string, { claims }: AssertionParts) {
  if (claims.iss !== clientId || claims.sub !== clientId)
    throw mistake('The iss and sub of the assertion must be the client_id')
  checkTimes(Math.floor(now().getTime() / 1000), claims)
  const { jti } = claims
  if (typeof jti !== 'string' || jti.length < 1 || jti.length > 256)
    throw mistake('The jti of the assertion must have 1 to 256 characters')
}

/**
 * Checks the rest of an assertion after `checkClaims` (specification §2.5, RFC 7523 §3): a signature by a registered
 * key, the audience, and a jti that was not used before. The jti is recorded last and atomically, so that only one of
 * two racing copies passes.
 */
export async function checkAssertion(
  context: OAuthContext,
  endpoint: string,
  client: Client,
  assertion: AssertionParts,
) {
  await checkSignature(context, client, assertion)
  const { aud, jti, exp, iat } = assertion.claims
  const { assertionAudiences } = profileOf(client.profile)
  checkAudience(client, aud, assertionAudiences(context.issuer, endpoint))
  const until = new Date((Number(exp) + 60) * 1000)
  const issuedAt = new Date(Number(iat) * 1000)
  const fresh = await context.store.rememberAssertion(sha256(`${client.id}\0${jti}`), until, issuedAt)
  if (!fresh) throw refuse('the jti of the assertion was used before')
  context.usage.count(client.id, `key ${assertion.kid}`)
}

/** Checks the signature by the key that `kid` names, with an algorithm that the profile allows (RFC 7515 §10.7). */
async function checkSignature(context: OAuthContext, client: Client, { jwt, alg: claimed, kid }: AssertionParts) {
  const { assertionAlgs } = profileOf(client.profile)
  const alg = assertionAlgs.find((name) => name === claimed)
  if (!alg)
    throw refuse(`the assertion is not signed with ${assertionAlgs.join(', ')}`, {
      alg: claimed.slice(0, 20),
      algs: [...assertionAlgs],
    })
  const { keys, problem, known } = await context.clientKeys.find(client, kid)
  const detail = { kid: kid.slice(0, 100), known, alg, ...(problem !== undefined && { problem }) }
  if (keys.length === 0 && problem !== undefined)
    throw refuse('no key with this kid is registered, and the keys at jwks_uri could not be fetched', detail)
  if (keys.length === 0) throw refuse('no key with this kid is registered', detail)
  const key = keys.find(({ jwk }) => fitsAlg(jwk, alg))
  if (!key) throw refuse('the key with this kid is for another algorithm', detail)
  try {
    await compactVerify(jwt, await importJWK(key.jwk, alg), { algorithms: [alg] })
  } catch {
    throw refuse('the signature of the assertion is wrong', { kid })
  }
}

/** Refuses an assertion without an audience, or with one that the profile does not accept. */
function checkAudience(client: Client, audience: string | string[] | undefined, accepted: string[]) {
  const { assertionAudienceList } = profileOf(client.profile)
  if (Array.isArray(audience) && !assertionAudienceList) throw refuse('aud of the assertion must be one string')
  const named = typeof audience === 'string' ? [audience] : Array.isArray(audience) ? audience : []
  if (named.length === 0 || !named.every((name) => accepted.includes(name))) {
    throw refuse(`aud of the assertion must be ${accepted.join(' or ')}`, {
      aud: named
        .map((name) => showValue(name, 300))
        .join(' ')
        .slice(0, 300),
      accepted,
    })
  }
}

function checkTimes(now: number, { exp, iat, nbf }: { exp?: number; iat?: number; nbf?: number }) {
  if (typeof exp !== 'number' || !Number.isFinite(exp)) throw mistake('The assertion has no exp')
  if (typeof iat !== 'number') throw mistake('The assertion has no iat')
  if (nbf !== undefined && typeof nbf !== 'number') throw mistake('The nbf of the assertion is not a number')
  for (const time of [iat, nbf ?? iat]) {
    const ahead = time - now
    if (ahead > skew)
      throw mistake(
        `The assertion's clock is ${ahead} s off`,
        { secondsAhead: ahead },
        'the assertion is from the future',
      )
  }
  if (exp <= now)
    throw mistake(
      `The assertion expired ${now - exp} s ago`,
      { secondsLate: now - exp, secondsSinceIssued: now - iat },
      'the assertion is expired',
    )
  if (exp > now + mostAhead)
    throw mistake('The exp of the assertion is more than an hour ahead', { secondsAhead: exp - now })
}

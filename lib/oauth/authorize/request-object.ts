import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, type JWTPayload } from 'jose'
import type { Client } from '#lib/oauth/client/client'
import { profileOf, type SigningAlg } from '#lib/oauth/client/profile'
import { fitsAlg } from '#lib/oauth/client/public-key'
import type { OAuthContext } from '#lib/oauth/context'
import { listParameters, type Parameters } from '#lib/oauth/endpoint'
import { type ErrorDetail, OAuthError } from '#lib/oauth/error'
import { showValue } from '#lib/text/show-value'
import { requestParameters } from './request.ts'

const refuse = (reason: string, detail: ErrorDetail = {}) =>
  new OAuthError(
    'invalid_request_object',
    'The request object is not valid. Check its signature, its algorithm and its claims.',
    reason,
    detail,
  )

/**
 * Returns the parameters of a signed request object (RFC 9101 §6; OpenID Connect Core §6.3); those outside the object
 * are ignored. An app without keys cannot sign a request object.
 */
export async function openRequestObject(context: OAuthContext, client: Client, jwt: string): Promise<Parameters> {
  if (client.keys.length === 0 && !client.registration.jwks_uri)
    throw new OAuthError(
      'request_not_supported',
      'This app has no public key for request objects. Send the parameters without the parameter request.',
    )
  const { alg, kid, claims } = decode(client, jwt)
  await checkSignature(context, client, { jwt, alg, kid })
  checkParties(context, client, claims)
  checkTimes(context, client, claims)
  return readParameters(claims)
}

/**
 * Returns the parameters that are needed to send the refusal of a request object to the app. Their signature is not
 * checked, so the caller must accept only a registered redirect URI.
 */
export function readRefused(jwt: string): Parameters {
  try {
    const { redirect_uri, response_mode, state } = decodeJwt(jwt)
    const claimed = Object.entries({ redirect_uri, response_mode, state })
    return new Map(claimed.filter((pair): pair is [string, string] => isText(pair[1]) && pair[1] !== ''))
  } catch {
    return new Map()
  }
}

type Signed = { jwt: string; alg: SigningAlg; kid: string | undefined }

function decode(client: Client, jwt: string): { alg: SigningAlg; kid: string | undefined; claims: JWTPayload } {
  try {
    const header = decodeProtectedHeader(jwt)
    const { requestObjectAlgs } = profileOf(client.profile)
    const registered = client.registration.request_object_signing_alg
    const algs = registered ? requestObjectAlgs.filter((name) => name === registered) : requestObjectAlgs
    const alg = algs.find((name) => name === header.alg)
    if (!alg)
      throw refuse(`the request object is not signed with ${algs.join(', ')}`, {
        alg: showValue(header.alg, 20),
        algs: [...algs],
      })
    // The type tells a request object from other JWTs of the app (RFC 9101 §10.8). Clients older than the RFC write
    // JWT, or no type.
    if (header.typ !== undefined && !/^(application\/)?(oauth-authz-req\+jwt|jwt)$/i.test(showValue(header.typ, 40)))
      throw refuse('typ of the request object must be oauth-authz-req+jwt', { typ: showValue(header.typ, 40) })
    // Extensions change what a signature covers (RFC 7515 §4.1.11, RFC 7797); none is supported.
    if ('crit' in header || 'b64' in header) throw refuse('the header of the request object has crit or b64')
    return { alg, kid: header.kid, claims: decodeJwt(jwt) }
  } catch (fault) {
    throw fault instanceof OAuthError ? fault : refuse('the request object is not a signed JWT')
  }
}

/** Checks the signature by the key that `kid` names, or by the only key that fits the algorithm (RFC 9101 §6.2). */
async function checkSignature(context: OAuthContext, client: Client, { jwt, alg, kid }: Signed) {
  const { keys, problem, known } = await context.clientKeys.find(client, kid)
  const fitting = keys.filter(({ jwk }) => fitsAlg(jwk, alg))
  const [key] = fitting
  if (!key || fitting.length > 1)
    throw refuse('no single registered key fits kid and alg of the request object', {
      kid: showValue(kid, 100),
      known,
      alg,
      ...(problem !== undefined && { problem }),
    })
  try {
    await compactVerify(jwt, await importJWK(key.jwk, alg), { algorithms: [alg] })
  } catch {
    throw refuse('the signature of the request object is wrong', { kid: key.kid })
  }
  context.usage.count(client.id, `key ${key.kid}`)
}

function checkParties({ issuer }: OAuthContext, client: Client, claims: JWTPayload) {
  // RFC 9101 §4: the object holds every parameter of the request; §5: its client_id is the one beside it.
  if (claims.client_id !== client.id) throw refuse('client_id of the request object must be the client_id beside it')
  if (claims.iss !== undefined && claims.iss !== client.id)
    throw refuse('iss of the request object must be the client_id')
  // A client assertion has its client_id as `sub`, so such an object could be used as one (RFC 9101 §10.8).
  if (claims.sub === client.id) throw refuse('sub of the request object must not be the client_id')
  const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud]
  if (!audiences.includes(issuer)) throw refuse('aud of the request object must be the issuer')
  if ('request' in claims || 'request_uri' in claims)
    throw refuse('the request object must have neither request nor request_uri')
}

const [hour, skew] = [3600, 30]

/**
 * Checks the times of a request object of any profile by the limits of FAPI 2.0 Message Signing §5.3.1: `nbf` is at
 * most an hour ago, and `exp` at most an hour after `nbf`.
 */
function checkTimes(context: OAuthContext, { profile }: Client, { exp, nbf, iat }: JWTPayload) {
  const now = Math.floor(context.now().getTime() / 1000)
  for (const [name, time] of Object.entries({ exp, nbf, iat }))
    if (time !== undefined && !Number.isFinite(time)) throw refuse(`${name} of the request object is not a number`)
  if (profileOf(profile).requestObjectTimes && (exp === undefined || nbf === undefined))
    throw refuse('the request object needs exp and nbf')
  if (exp !== undefined && exp <= now) throw refuse('the request object is expired', { secondsLate: now - exp })
  if (exp !== undefined && exp > (nbf ?? now + skew) + hour)
    throw refuse('exp of the request object is more than an hour ahead', { secondsAhead: exp - now })
  if (nbf !== undefined && nbf < now - hour) throw refuse('nbf of the request object is more than an hour ago')
  for (const time of [nbf, iat])
    if (time !== undefined && time > now + skew)
      throw refuse('the request object is from the future', { secondsAhead: time - now })
}

/**
 * Returns the claims that are parameters, as texts (RFC 9101 §4). Refuses any value other than a text, a number, an
 * object for `claims`, or a list of texts for `resource`.
 */
function readParameters(claims: JWTPayload): Parameters {
  const parameters = new Map<string, string>()
  for (const [name, value] of Object.entries(claims)) {
    if (!requestParameters.has(name)) continue
    const isObject = typeof value === 'object' && value !== null
    const text = typeof value === 'number' || (name === 'claims' && isObject) ? jsonOf(value) : joined(name, value)
    if (!isText(text)) throw refuse(`${name} of the request object is not a text`)
    if (text !== '') parameters.set(name, text)
  }
  return parameters
}

/** Returns a value as JSON; undefined if it is nested more deeply than the stack allows. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

const joined = (name: string, value: unknown): unknown =>
  listParameters.has(name) && Array.isArray(value) && value.every(isText) ? value.join(' ') : value

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\0')

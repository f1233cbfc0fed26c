import { makeOrderedId } from '#lib/crypto/random'
import type { Client } from '#lib/oauth/client/client'
import { profileOf, type ResponseMode } from '#lib/oauth/client/profile'
import { isRegisteredRedirect } from '#lib/oauth/client/redirect-uri'
import type { OAuthContext } from '#lib/oauth/context'
import { readThumbprint } from '#lib/oauth/dpop/code-binding'
import { type Parameters, repeatedParameter } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'
import { isChallenge } from '#lib/oauth/pkce'
import { namedApis, scopesOfApis } from '#lib/oauth/resource'
import { type AskedClaims, readClaims } from './claims-parameter.ts'
import { type ContextClass, readClass } from './context-class.ts'
import { readScopes } from './requested-scopes.ts'

/** A checked authorization request, which the browser carries sealed (design §3). */
export type AuthorizationRequest = {
  id: string
  clientId: string
  redirectUri: string
  responseMode: Exclude<ResponseMode, 'jwt'>
  scopes: string[]
  /** The identifiers of the APIs that the app named (RFC 8707); absent if there is none. */
  resources?: string[]
  state: string | undefined
  nonce: string | undefined
  challenge: string | undefined
  /** The thumbprint of the DPoP key that the code is bound to (RFC 9449 §10). */
  dpopJkt: string | undefined
  prompt: Prompt[]
  maxAge: number | undefined
  /** The known class that the app prefers (`acr_values`). */
  preferredClass: ContextClass | undefined
  loginHint: string | undefined
  /** The pairwise identifier of the person that the ID token hint names. */
  hintedSubject: string | undefined
  /** The claims that the app asks for beside its scopes. */
  claims: AskedClaims | undefined
  uiLocales: string | undefined
  issuedAt: number
  /** The person and session that alone may finish a request of the console (decision 0048); only the console sets it. */
  trial?: { personId: string; sessionId: string }
}

export type Prompt = (typeof prompts)[number]

/** The destination of the response, once the redirect URI is trusted. */
export type ReturnAddress = Pick<
  AuthorizationRequest,
  'clientId' | 'redirectUri' | 'responseMode' | 'state' | 'uiLocales'
>

/** `returned`: the app receives the error. `shown`: no redirect URI is trusted, so a page shows the error. */
export type CheckedRequest =
  | { kind: 'accepted'; request: AuthorizationRequest; client: Client }
  | { kind: 'returned'; error: OAuthError; to: ReturnAddress; client: Client }
  | { kind: 'shown'; error: OAuthError; client: Client | undefined; culprit: Culprit }

export type Culprit = 'client_id' | 'redirect_uri' | 'request_uri' | 'request' | 'encoding'

export const prompts = ['none', 'login', 'consent', 'select_account'] as const

/** Every parameter that a request may have. Others are ignored (RFC 6749 §3.1). */
export const requestParameters: ReadonlySet<string> = new Set(
  [
    'response_type client_id redirect_uri scope state code_challenge code_challenge_method dpop_jkt nonce prompt',
    'max_age login_hint id_token_hint ui_locales acr_values display claims_locales claims request request_uri',
    'response_mode resource',
  ].flatMap((names) => names.split(' ')),
)

/**
 * How the parameters arrived. `id` is the id of an earlier pushed request; the signature that the app may require was
 * checked when the request was pushed.
 */
export type Arrival = { isPushed: boolean; isSigned: boolean; id?: string }

/** Checks the parameters of a request, the redirect URI first (specification §4.2, OpenID Connect Core §3.1.2). */
export async function checkParameters(
  context: OAuthContext,
  client: Client,
  { values, repeated }: { values: Parameters; repeated: string | undefined },
  arrival: Arrival,
): Promise<CheckedRequest> {
  const to = readReturn(client, values)
  if ('kind' in to) return to
  try {
    if (repeated !== undefined) throw repeatedParameter(repeated)
    checkArrival(client, arrival)
    const id = arrival.id ?? makeOrderedId(context.now(), context.random)
    return { kind: 'accepted', client, request: await readRequest(context, client, values, to, id) }
  } catch (error) {
    if (error instanceof OAuthError) return { kind: 'returned', error, to, client }
    throw error
  }
}

/** Refuses a request that was not pushed or not signed although its app must (RFC 9126 §6, RFC 9101 §10.5). */
function checkArrival({ profile, registration }: Client, { isPushed, isSigned }: Arrival) {
  const mustPush = profileOf(profile).parRequired || registration.require_pushed_authorization_requests
  if (mustPush && !isPushed)
    throw invalid('This app must push its requests. Send client_id and the request_uri of a pushed request.')
  if (registration.require_signed_request_object && !isSigned)
    throw invalid('This app must send its parameters in a signed request object.')
}

/** Returns a refusal that a page shows, because no redirect URI is trusted. */
export const shown = (culprit: Culprit, reason: string, client?: Client, detail = {}) => {
  const code = culprit === 'request_uri' ? 'invalid_request_uri' : 'invalid_request'
  return { kind: 'shown', culprit, client, error: new OAuthError(code, reason, reason, detail) } as const
}

/** Returns the destination of the response; the server never redirects to an unregistered URI (RFC 9700 §4.11.2). */
export function readReturn(client: Client, values: Parameters): ReturnAddress | ReturnType<typeof shown> {
  const redirectUri = values.get('redirect_uri')
  if (redirectUri === undefined) return shown('redirect_uri', 'redirect_uri is missing or repeated', client)
  if (!isRegisteredRedirect(client, redirectUri)) {
    const detail = { received: redirectUri.slice(0, 2000), registered: client.redirectUris }
    return shown('redirect_uri', 'redirect_uri is not registered for this app', client, detail)
  }
  const state = values.get('state')
  const mode = profileOf(client.profile).responseModes.find((one) => one === values.get('response_mode')) ?? 'query'
  return {
    clientId: client.id,
    redirectUri,
    // JARM §2.3.4: for a code, `jwt` means `query.jwt`.
    responseMode: mode === 'jwt' ? 'query.jwt' : mode,
    state: state !== undefined && isCarried(state) ? state : undefined,
    uiLocales: values.get('ui_locales')?.slice(0, 200),
  }
}

/**
 * The maximum length of a state in characters. The size of its JSON text, which sealed URLs carry, is limited too.
 */
const mostState = 4096
const isCarried = (state: string) => state.length <= mostState && Buffer.byteLength(JSON.stringify(state)) <= 8194

const invalid = (description: string) => new OAuthError('invalid_request', description)

async function readRequest(
  context: OAuthContext,
  client: Client,
  values: Parameters,
  to: ReturnAddress,
  id: string,
): Promise<AuthorizationRequest> {
  refuseUnsupported(client, values)
  const prompt = readPrompt(values)
  const asked = readClaims(client, values)
  const apis = await namedApis(context, client, values)
  return {
    id,
    clientId: client.id,
    redirectUri: to.redirectUri,
    responseMode: to.responseMode,
    scopes: [...readScopes(context, client, values, asked?.scopes), ...scopesOfApis(apis, values)],
    ...(apis.length > 0 && { resources: apis.map(({ identifier }) => identifier) }),
    state: readState(client, values),
    nonce: readBounded(values, 'nonce', 512),
    challenge: readChallenge(client, values),
    dpopJkt: readThumbprint(values),
    prompt,
    maxAge: readMaxAge(values),
    preferredClass: asked?.preferredClass ?? readClass(values),
    loginHint: values.get('login_hint')?.slice(0, 200),
    hintedSubject: await readHint(context, values, asked?.subject),
    claims: asked?.kept,
    uiLocales: to.uiLocales,
    issuedAt: Math.floor(context.now().getTime() / 1000),
  }
}

function refuseUnsupported(client: Client, values: Parameters) {
  if (values.has('request_uri'))
    throw new OAuthError('request_uri_not_supported', 'Send the parameters without request_uri, or push them.')
  const responseType = values.get('response_type')
  if (responseType === undefined) throw invalid('The parameter response_type is missing.')
  if (responseType !== 'code') throw new OAuthError('unsupported_response_type', 'The response_type must be code.')
  const mode = values.get('response_mode')
  const modes: readonly string[] = profileOf(client.profile).responseModes
  if (mode !== undefined && !modes.includes(mode)) throw invalid(`The response_mode must be ${modes.join(' or ')}.`)
}

function readState(client: Client, values: Parameters): string | undefined {
  const state = values.get('state')
  if (state !== undefined && !isCarried(state))
    throw invalid(`The parameter state is longer than ${mostState} characters or ${2 * mostState} bytes.`)
  if (state === undefined && profileOf(client.profile).stateRequired.includes(client.kind))
    throw invalid('The parameter state is missing.')
  return state
}

function readChallenge(client: Client, values: Parameters): string | undefined {
  const challenge = values.get('code_challenge')
  const method = values.get('code_challenge_method')
  if (challenge === undefined) {
    if (profileOf(client.profile).pkceRequired.includes(client.kind) || method !== undefined)
      throw invalid('The parameter code_challenge is missing.')
    return undefined
  }
  if (method !== 'S256') throw invalid('The code_challenge_method must be S256.')
  if (!isChallenge(challenge))
    throw invalid('The code_challenge must be the base64url-encoded SHA-256 hash of the code_verifier.')
  return challenge
}

function readPrompt(values: Parameters): Prompt[] {
  const asked = (values.get('prompt') ?? '').split(' ').filter(Boolean)
  const wrong = asked.find((prompt) => !(prompts as readonly string[]).includes(prompt))
  if (wrong !== undefined) throw invalid('The prompt must be none, login, consent or select_account.')
  if (asked.includes('none') && asked.length > 1)
    throw invalid('The prompt value none cannot be combined with other values.')
  return asked as Prompt[]
}

function readMaxAge(values: Parameters): number | undefined {
  const text = values.get('max_age')
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw invalid('The max_age must be a whole number of seconds.')
  return Number(text)
}

/**
 * Returns the pairwise identifier of the person that the app expects, from the requested `sub` or from the hint. The
 * hint must be an ID token of this issuer, expired or not (OpenID Connect Core §3.1.2.1, §3.1.2.2).
 */
async function readHint(context: OAuthContext, values: Parameters, asked?: string): Promise<string | undefined> {
  const hint = values.get('id_token_hint')
  if (hint === undefined) return asked
  const claims = await context.keys.verifyHint(hint)
  if (typeof claims?.sub !== 'string') throw invalid('The id_token_hint must be an ID token of this issuer.')
  if (asked !== undefined && asked !== claims.sub) throw invalid('The id_token_hint and the claims name two people.')
  return claims.sub
}

function readBounded(values: Parameters, name: string, most: number): string | undefined {
  const value = values.get(name)
  if (value !== undefined && value.length > most)
    throw invalid(`The parameter ${name} is longer than ${most} characters.`)
  return value
}

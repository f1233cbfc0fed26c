import { hmac, sha256 } from '#lib/crypto/hash'
import { makeOrderedId } from '#lib/crypto/random'
import type { Client } from '#lib/oauth/client/client'
import { authorizationAlgOf, profileOf } from '#lib/oauth/client/profile'
import { isRegisteredRedirect, withParameters } from '#lib/oauth/client/redirect-uri'
import { isUnproven } from '#lib/oauth/consent/consent'
import type { ConsentRecord } from '#lib/oauth/consent/store'
import type { Lifetimes, OAuthContext } from '#lib/oauth/context'
import { OAuthError } from '#lib/oauth/error'
import { apisOf } from '#lib/oauth/resource'
import { coversRegistered } from '#lib/oauth/scope'
import type { EmailChoice } from '#lib/oauth/store'
import type { Freshness } from '#lib/oauth/usage'
import { escapeHtml, estimatedBits } from '#lib/text/text-rules'
import { achievedClass, reachedClass } from './context-class.ts'
import type { AuthorizationRequest, ReturnAddress } from './request.ts'

/** A person's approval of a request. */
export type Approval = {
  request: AuthorizationRequest
  client: Client
  personId: string
  subject: string
  session: { id: string; firstId: string; authenticatedAt: Date; amr: string[] }
  scopes: string[]
  emailChoice: EmailChoice
  /** The stored consent that `scopes` and `emailChoice` are derived from. */
  consent: ConsentRecord
}

/** Returns a new pairwise identifier. It is random, so that nothing can be derived from it (specification §2.4). */
export const newSubject = (random: (bytes: number) => Buffer): string => random(24).toString('base64url')

/**
 * Completes a request once (design §3 step 5). The code is derived from request and session, so that a double click
 * or a reload in the same session gets the same redirect; another session gets 'already finished'. 'outdated' means
 * that the consent changed or the session ended since the approval was decided.
 */
export async function completeRequest(
  context: OAuthContext,
  approval: Approval,
): Promise<AuthorizationResponse | 'already finished' | 'outdated'> {
  await checkStillAllowed(context, approval)
  const code = codeFor(context, approval)
  const repeated = await answerRepeat(context, approval, code)
  if (repeated) return repeated
  // Counted after the look-up, because a repeat stores no row.
  if ((await context.approvals.count(approval.personId, approval.client.id)) > 0) throw tooManyApprovals()
  const row = newAuthorization(context, approval, sha256(code))
  const basis = { ...approval.consent, liveSessionId: approval.session.id }
  if ((await context.store.insertAuthorization(row, basis)) === 'refused')
    return (await answerRepeat(context, approval, code)) ?? 'outdated'
  if (!approval.request.trial) countRequest(context, approval)
  return successResponse(context.issuer, approval.request, code)
}

/** Answers a request that was completed before; undefined if it was not. */
async function answerRepeat(context: OAuthContext, { request }: Approval, code: string) {
  const earlier = await context.store.findByRequest(request.id)
  if (!earlier) return undefined
  const usable = !earlier.codeSpentAt && !earlier.revokedAt && earlier.codeExpiresAt > context.now()
  return usable && earlier.codeHash === sha256(code)
    ? successResponse(context.issuer, request, code)
    : 'already finished'
}

/**
 * Counts what a completed request shows about the security of its app. Only completed ones, because anyone can send
 * requests that name the app; and only the app's own, not those that the console makes.
 */
function countRequest({ usage }: OAuthContext, { request, client, scopes }: Approval) {
  usage.count(client.id, challengeSeen(usage, request))
  usage.count(client.id, `state ${freshnessOf(usage, `${client.id} state ${request.state}`, request.state)}`)
  usage.count(client.id, `nonce ${freshnessOf(usage, `${client.id} nonce ${request.nonce}`, request.nonce)}`)
  for (const scope of scopes) usage.count(client.id, `scope ${scope}`)
}

/** RFC 9700 §2.1.1 asks servers to detect constant challenges and nonces. */
function challengeSeen(usage: OAuthContext['usage'], { clientId, challenge }: AuthorizationRequest) {
  if (challenge === undefined) return 'no_pkce'
  return usage.isRepeated(`${clientId} challenge ${challenge}`) ? 'repeated_pkce' : 'pkce'
}

function freshnessOf(usage: OAuthContext['usage'], unique: string, value: string | undefined): Freshness {
  if (value === undefined) return 'absent'
  if (usage.isRepeated(unique)) return 'repeated'
  const bits = estimatedBits(value)
  // OWASP ASVS 5.0 §7.2.3 and RFC 6749 §10.10 require 128 bits of values that must not be guessed.
  return bits < 64 ? 'weak' : bits < 128 ? 'fair' : 'strong'
}

/** Refuses if the app's registration changed during the request. */
async function checkStillAllowed(context: OAuthContext, { request, client, scopes }: Approval) {
  const { redirectUri, resources = [] } = request
  const apis = await apisOf(context, client, resources)
  const registered = [...client.scopes, ...apis.flatMap((api) => api.scopes)]
  const isRegistered = isRegisteredRedirect(client, redirectUri) && apis.length === resources.length
  if (isRegistered && coversRegistered(registered, scopes)) return
  throw new OAuthError(
    'access_denied',
    'The registration of the app changed during the request. Send a new request.',
    'registration changed during the request',
  )
}

/** An unused approval is stored as long as a used one, so a person who repeats requests would fill the table. */
const tooManyApprovals = () =>
  new OAuthError(
    'temporarily_unavailable',
    'The person approved too many requests of this app within an hour. Do not repeat requests. Try again later.',
    'too many approvals of one person',
  )

const codeFor = ({ secrets }: OAuthContext, { request, session }: Approval): string =>
  writeCode(request.id, hmac(secrets.current('authorization-code'), request.id, session.id).toString('base64url'))

/**
 * Returns a code with the id of its request, which sorts by time: the exchange finds its row among its neighbours, and
 * not at a random place in the index of the hashes (decision 0067). The id is no secret; the rest is.
 */
export const writeCode = (requestId: string, secret: string): string => `${requestId}.${secret}`

/** Returns the id of the request of a code; undefined for a text that `writeCode` cannot have made. */
export const requestIdOf = (code: string): string | undefined => /^([\w-]{22})\.[\w-]{43}$/.exec(code)?.[1]

/**
 * Returns the seconds for which an authorization is stored after its exchange, or after the end of its code. It must
 * outlive its tokens, the time in which a replay can be detected, and the session, because its end is sent to the app.
 * The added hour is the time in which a request must be completed, so that none completes twice (design §3). An approval
 * cannot know whether the token of a public app will be bound to a key, so it assumes the longer lifetime.
 */
export function secondsKept(lifetimes: Lifetimes, { kind, registration }: Client, endsWithSession: boolean): number {
  const boundToken = registration.dpop_access_token_seconds ?? 0
  const refreshToken = kind === 'public' ? 0 : refreshSeconds(lifetimes, endsWithSession)
  const informed = registration.backchannel_logout_uri ? lifetimes.session : 0
  return Math.max(lifetimes.accessToken, boundToken, refreshToken, informed) + lifetimes.refreshRetry + 3600
}

/**
 * Returns the seconds from the exchange to the end of the last refresh token. A session that expires ends nothing, so the
 * longest life of a session bounds what must not outlive it.
 */
export const refreshSeconds = ({ refreshMax, session }: Lifetimes, endsWithSession: boolean): number =>
  endsWithSession ? Math.min(refreshMax, session) : refreshMax

function newAuthorization(context: OAuthContext, approval: Approval, codeHash: string) {
  const { request, session, client } = approval
  const now = context.now()
  const codeSeconds = Math.min(context.lifetimes.code, profileOf(client.profile).longestCode)
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const endsWithSession = isUnproven(approval)
  return {
    id: makeOrderedId(now, context.random),
    requestId: request.id,
    clientId: request.clientId,
    personId: approval.personId,
    sessionId: session.firstId,
    subject: approval.subject,
    scopes: approval.scopes,
    resources: request.resources ?? [],
    emailChoice: approval.emailChoice,
    redirectUri: request.redirectUri,
    nonce: request.nonce,
    challenge: request.challenge,
    dpopJkt: request.dpopJkt,
    authTime: session.authenticatedAt,
    // An app that requires a recent sign-in can verify it by auth_time (security checklist, "Redirects").
    authTimeWanted:
      request.maxAge !== undefined || request.prompt.includes('login') || request.claims?.authTime === true,
    idTokenClaims: request.claims?.idToken ?? [],
    claimValues: request.claims?.values,
    acr: reachedClass(session.amr, request.claims?.classes) ?? achievedClass(session.amr),
    amr: session.amr,
    salt: context.random(16).toString('base64url'),
    codeHash,
    codeExpiresAt: after(codeSeconds),
    createdAt: now,
    keepUntil: after(codeSeconds + secondsKept(context.lifetimes, client, endsWithSession)),
    endsWithSession,
  }
}

/** The parameters of an authorization response and its destination; every response has `iss` (RFC 9207). */
export type AuthorizationResponse = {
  to: Omit<ReturnAddress, 'state'>
  parameters: Record<string, string | undefined>
}

const successResponse = (issuer: string, to: ReturnAddress, code: string): AuthorizationResponse => ({
  to,
  parameters: { code, state: to.state, iss: issuer },
})

export const errorResponse = (issuer: string, to: ReturnAddress, error: OAuthError): AuthorizationResponse => ({
  to,
  parameters: { error: error.code, error_description: error.description, state: to.state, iss: issuer },
})

/** Whether the parameters are in a signed JWT: `query.jwt` or `form_post.jwt`. */
export const isSignedMode = (mode: ReturnAddress['responseMode']): boolean => mode.endsWith('.jwt')

/** Seconds for which a signed response is valid; JARM §2.1 recommends at most ten minutes. */
const signedLifetime = 120

/**
 * Returns the response with a single parameter: a JWT whose claims are the parameters (JARM §2.1, §2.3). `iss` is only
 * in the JWT.
 */
export async function signResponse(
  { keys, now, store }: OAuthContext,
  { to, parameters: { iss, ...inside } }: AuthorizationResponse,
): Promise<AuthorizationResponse> {
  const exp = Math.floor(now().getTime() / 1000) + signedLifetime
  const client = await store.findClient(to.clientId)
  const claims = { iss, aud: to.clientId, exp, ...inside }
  return { to, parameters: { response: await keys.sign('JWT', claims, client && authorizationAlgOf(client)) } }
}

/** Returns the redirect of response_mode query; non-ASCII characters are encoded as a browser encodes them. */
export const responseAddress = ({ to, parameters }: AuthorizationResponse): string =>
  withParameters(to.redirectUri, parameters).replace(/[^\x21-\x7e]+/gu, encodeURIComponent)

/**
 * Returns the page of response_mode form_post, which submits itself; a button serves browsers without script (Form
 * Post Response Mode §2).
 */
export function formPostPage(
  { to, parameters }: AuthorizationResponse,
  words: { nonce: string; lang: string; title: string; button: string },
) {
  const inputs = Object.entries(parameters)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
  return `<!doctype html><html lang="${escapeHtml(words.lang)}"><head><meta charset="utf-8"><title>${escapeHtml(words.title)}</title></head>
<body><form method="post" action="${escapeHtml(to.redirectUri)}">${inputs.join('')}<noscript><button type="submit">${escapeHtml(words.button)}</button></noscript></form>
<script nonce="${words.nonce}">document.forms[0].submit()</script></body></html>`
}

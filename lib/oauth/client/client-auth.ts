import { equalText, sha256 } from '#lib/crypto/hash'
import { decodePart } from '#lib/http/form'
import type { OAuthContext } from '#lib/oauth/context'
import { type EndpointCall, type Parameters, readForm } from '#lib/oauth/endpoint'
import { authenticationFailed, type ErrorDetail, OAuthError, TooManyAttempts } from '#lib/oauth/error'
import type { Client } from './client.ts'
import { type AssertionParts, checkAssertion, checkClaims, readAssertion } from './client-assertion.ts'
import { type AuthMethod, profileOf } from './profile.ts'

/** The form parameters that client authentication reads. */
export const authenticationParameters = [
  'client_id',
  'client_secret',
  'client_assertion_type',
  'client_assertion',
] as const

type SharedSecret = { method: 'client_secret_basic' | 'client_secret_post'; clientId: string; secret: string }
type Credentials =
  | SharedSecret
  | { method: 'private_key_jwt'; clientId: string; assertion: AssertionParts }
  | { method: 'none'; clientId: string }

/** Reads the form of a request and authenticates its app. */
export async function readAuthenticated(
  context: OAuthContext,
  call: EndpointCall,
  known: ReadonlySet<string>,
  before: BeforeCredentials = async () => undefined,
) {
  const form = await readForm(call.request, known).catch(async (fault: unknown) => {
    await noteClaimed(context, call, nameInBasic(call.request))
    throw fault
  })
  // Attributes the request to the claimed app before authentication, so that its developers also see failed
  // authentications.
  await noteClaimed(context, call, form.get('client_id'))
  return { form, client: await authenticateClient(context, call, form, before) }
}

/**
 * Runs before the credentials are checked and an assertion is recorded. Also runs for an unknown app, so that its
 * refusal does not differ.
 */
type BeforeCredentials = (claimed: Client | undefined) => Promise<void>

async function noteClaimed(context: OAuthContext, call: EndpointCall, claimed: string | undefined) {
  if (claimed !== undefined && (await context.store.findClient(claimed))) call.clientId = claimed
}

function nameInBasic({ headers }: Request): string | undefined {
  try {
    return readBasic(headers.get('authorization') ?? '', undefined).clientId
  } catch {
    return undefined
  }
}

const refuse = (reason: string, method: AuthMethod = 'client_secret_basic', detail: ErrorDetail = {}) =>
  new OAuthError('invalid_client', descriptions[method], reason, detail)

/** The text of every refused authentication by a method: the same for known and unknown apps. */
const descriptions: Record<AuthMethod, string> = {
  client_secret_basic: authenticationFailed,
  client_secret_post:
    'Client authentication failed. Send client_secret as HTTP Basic unless client_secret_post is registered.',
  private_key_jwt: authenticationFailed,
  none: 'Client authentication failed. Send client_secret as HTTP Basic or a client_assertion, unless the app is public.',
}

/**
 * Authenticates the app by the method it is registered for (specification §5, RFC 6749 §2.3). Counts only failures,
 * and blocks only the network that they come from, so that wrong credentials from other networks do not block right
 * ones.
 */
async function authenticateClient(
  context: OAuthContext,
  call: EndpointCall,
  form: Parameters,
  before: BeforeCredentials,
): Promise<Client> {
  const credentials = readCredentials(call.request, form)
  const client = await context.store.findClient(credentials.clientId)
  if (client) call.clientId = client.id
  const address = call.request.headers.get('x-postern-client') ?? 'unknown'
  const guarded = guardedApp(client)
  const wait = guarded === undefined ? 0 : context.attempts.blockedFor(guarded, address)
  if (wait > 0) throw new TooManyAttempts(wait)
  try {
    if (credentials.method === 'private_key_jwt') checkClaims(context, credentials.clientId, credentials.assertion)
    await before(client)
    if (!client) throw refuse('unknown client_id', credentials.method)
    await checkCredentials(context, call.endpoint, client, credentials)
    return client
  } catch (fault) {
    if (!(fault instanceof OAuthError) || fault.code !== 'invalid_client') throw fault
    const seconds = await context.attempts.fail(guarded, address)
    throw seconds > 0 ? new TooManyAttempts(seconds) : fault
  }
}

/**
 * Returns the app whose failures are counted: only an app with credentials that can be guessed. Counting by public
 * app would lock out its users, and counting by unknown id would fill the table. Failures of a public or unknown app
 * count for the client's address only; they delay further failures and block no right credentials.
 */
const guardedApp = (client: Client | undefined): string | undefined =>
  client === undefined || client.kind === 'public' ? undefined : client.id

/** Reads the credentials; refuses two methods in one request (RFC 6749 §2.3). */
function readCredentials(request: Request, form: Parameters): Credentials {
  const authorization = request.headers.get('authorization')
  const assertion = form.get('client_assertion') ?? form.get('client_assertion_type')
  const methods = [authorization, assertion, form.get('client_secret')].filter((sent) => sent != null)
  if (methods.length > 1) throw new OAuthError('invalid_request', 'Authenticate the client with one method only.')
  if (authorization != null) return readBasic(authorization, form.get('client_id'))
  if (assertion !== undefined) return { method: 'private_key_jwt', ...readAssertion(form) }
  const clientId = form.get('client_id')
  if (clientId === undefined) throw refuse('no client authentication and no client_id', 'none')
  const secret = form.get('client_secret')
  return secret === undefined ? { method: 'none', clientId } : { method: 'client_secret_post', clientId, secret }
}

/** Reads HTTP Basic, whose two parts are form-encoded before base64 (RFC 6749 §2.3.1; specification §5.1). */
function readBasic(header: string, formClientId: string | undefined): Credentials {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon === -1) throw refuse('the Authorization header is not HTTP Basic')
  const [clientId, secret] = [pair.slice(0, colon), pair.slice(colon + 1)].map(decodeBasicPart) as [string, string]
  if (formClientId !== undefined && formClientId !== clientId)
    throw refuse('client_id in the form differs from HTTP Basic')
  return { method: 'client_secret_basic', clientId, secret }
}

function decodeBasicPart(part: string): string {
  const decoded = decodePart(part)
  if (decoded === undefined) throw refuse('the parts of HTTP Basic are not form-encoded')
  return decoded
}

/** Returns the methods by which an app may authenticate: the registered one, or each that its profile allows. */
function methodsOf({ registration, profile, kind }: Client): readonly AuthMethod[] {
  const allowed = profileOf(profile).authMethods[kind]
  const registered = registration.token_endpoint_auth_method
  return registered && allowed.includes(registered) ? [registered] : allowed
}

async function checkCredentials(context: OAuthContext, endpoint: string, client: Client, credentials: Credentials) {
  const methods = methodsOf(client)
  if (!methods.includes(credentials.method))
    throw refuse(
      `the app must authenticate by ${methods.join(' or ')}, not ${credentials.method}`,
      credentials.method,
      {
        sent: credentials.method,
        methods: [...methods],
      },
    )
  if (credentials.method === 'private_key_jwt') await checkAssertion(context, endpoint, client, credentials.assertion)
  if ('secret' in credentials) checkSecret(context, client, credentials)
  context.usage.count(client.id, `auth ${credentials.method}`)
}

/** Compares every secret, so that the time reveals nothing about them. An expired one is refused with the same answer. */
function checkSecret(context: OAuthContext, client: Client, { method, secret }: SharedSecret) {
  const hash = sha256(secret)
  const now = context.now()
  const found = client.secrets.filter((known) => equalText(hash, known.hash))
  const right = found.find(({ expiresAt }) => !expiresAt || expiresAt > now)
  if (right) return context.usage.count(client.id, `secret ${right.id}`)
  const [expired] = found
  if (!expired?.expiresAt) throw refuse('wrong client_secret', method)
  const secondsLate = Math.round((now.getTime() - expired.expiresAt.getTime()) / 1000)
  throw refuse('expired client_secret', method, { secondsLate })
}

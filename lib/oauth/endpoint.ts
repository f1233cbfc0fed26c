import { collectParameters } from '#lib/http/form'
import { openToBrowsers } from '#lib/http/headers'
import { textResponse } from '#lib/http/lean'
import type { OAuthContext } from './context.ts'
import { OAuthError, statusOf, TooManyAttempts } from './error.ts'

/** A request to an endpoint; `clientId` is set once the client is identified. Every answer gets `headers`. */
export type EndpointCall = {
  endpoint: string
  request: Request
  clientId: string | undefined
  headers: Record<string, string>
}

/** Runs an endpoint and turns an OAuthError into the error response (RFC 6749 §5.2). */
export async function answerEndpoint(
  context: OAuthContext,
  endpoint: string,
  request: Request,
  run: (call: EndpointCall) => Promise<Response>,
): Promise<Response> {
  const call: EndpointCall = { endpoint, request, clientId: undefined, headers: interactionOf(request) }
  try {
    return withHeaders(await run(call), call.headers)
  } catch (fault) {
    if (!(fault instanceof OAuthError)) throw fault
    context.refused({ endpoint, clientId: call.clientId, error: fault })
    return withHeaders(refusal(fault, request), call.headers)
  }
}

/** Adds headers to an answer. */
export function withHeaders(answer: Response, headers: Record<string, string>): Response {
  for (const name in headers) answer.headers.set(name, headers[name] as string)
  return answer
}

/** Returns the x-fapi-interaction-id of a request for its answer, as it was sent (FAPI 2.0 Implementation Advice). */
export function interactionOf({ headers }: Request): Record<string, string> {
  const id = headers.get('x-fapi-interaction-id')
  return id !== null && /^[\w.:-]{1,128}$/.test(id) ? { 'x-fapi-interaction-id': id } : {}
}

/** Returns a JSON answer that no cache may store (RFC 6749 §5.1). */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return textResponse(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      ...openToBrowsers,
      ...headers,
    },
  })
}

function refusal(error: OAuthError, request: Request): Response {
  const body = { error: error.code, error_description: error.description }
  if (error instanceof TooManyAttempts) return json(body, 429, { 'retry-after': String(error.retryAfter) })
  const triedBasic = error.code === 'invalid_client' && /^basic\b/i.test(request.headers.get('authorization') ?? '')
  return json(
    body,
    statusOf(error.code),
    triedBasic ? { 'www-authenticate': 'Basic realm="token", charset="UTF-8"' } : {},
  )
}

/** The parameters of a request, each at most once; an empty value counts as absent (RFC 6749 §3.1, §3.2). */
export type Parameters = ReadonlyMap<string, string>

/** Reads a form; refuses a known parameter that is repeated, and ignores unknown parameters. */
export function parseForm(text: string, known: ReadonlySet<string>): Parameters {
  const collected = collectParameters(text, known, listParameters)
  if (!collected)
    throw new OAuthError('invalid_request', 'The parameters are not valid application/x-www-form-urlencoded.')
  if (collected.repeated !== undefined) throw repeatedParameter(collected.repeated)
  return collected.values
}

/** The parameters that a request may repeat (RFC 8707 §2). Their values are URIs, which have no spaces. */
export const listParameters: ReadonlySet<string> = new Set(['resource'])

export const repeatedParameter = (name: string) =>
  new OAuthError('invalid_request', `The parameter ${name} is repeated. Send it once.`)

/** Reads the form of a POST; refuses any other content type before reading the body. */
export async function readForm(request: Request, known: ReadonlySet<string>): Promise<Parameters> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') {
    throw new OAuthError(
      'invalid_request',
      'Send the parameters as application/x-www-form-urlencoded.',
      'wrong content type',
    )
  }
  return parseForm(await request.text(), known)
}

/** Returns a required parameter; refuses a request without it. */
export function requireParameter(form: Parameters, name: string): string {
  const value = form.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
  return value
}

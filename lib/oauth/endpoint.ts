import { openToBrowsers } from '#lib/http/headers'
import { textResponse } from '#lib/http/text-response'
import type { OAuthContext } from './context.ts'
import { OAuthError, statusOf, TooManyAttempts } from './error.ts'

/** A request to an endpoint; `clientId` is set once the client is known. */
export type EndpointCall = { endpoint: string; request: Request; clientId: string | undefined }

/** Runs an endpoint and turns an OAuthError into its answer (RFC 6749 §5.2). */
export async function answerEndpoint(
  context: OAuthContext,
  endpoint: string,
  request: Request,
  run: (call: EndpointCall) => Promise<Response>,
): Promise<Response> {
  const call: EndpointCall = { endpoint, request, clientId: undefined }
  try {
    return await run(call)
  } catch (fault) {
    if (!(fault instanceof OAuthError)) throw fault
    context.refused({ endpoint, clientId: call.clientId, error: fault })
    return refusal(fault, request)
  }
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

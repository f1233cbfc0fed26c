import { openToBrowsers } from '#lib/http/headers'
import { textResponse } from '#lib/http/text-response'
import type { OAuthContext } from './context.ts'
import { OAuthError, statusOf, TooManyAttempts } from './error.ts'

/** What an endpoint knows of a request while it answers it; the client is noted once it is known. */
export type Visit = { endpoint: string; request: Request; clientId: string | undefined }

/** Runs an endpoint; the one place where a refusal becomes an answer (RFC 6749 §5.2). */
export async function answerEndpoint(
  context: OAuthContext,
  endpoint: string,
  request: Request,
  run: (visit: Visit) => Promise<Response>,
): Promise<Response> {
  const visit: Visit = { endpoint, request, clientId: undefined }
  try {
    return await run(visit)
  } catch (fault) {
    if (!(fault instanceof OAuthError)) throw fault
    context.refused({ endpoint, clientId: visit.clientId, error: fault })
    return refusal(fault, request)
  }
}

/** A JSON answer that nobody may keep (RFC 6749 §5.1). */
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

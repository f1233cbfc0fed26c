import { answerAuthorize } from '#lib/flow/authorize'
import { openRequest } from '#lib/flow/interaction'
import { openProblem, type Problem } from '#lib/http/problem-page'
import type { AuthorizationRequest } from '#lib/oauth/authorize/request'
import type { Context } from '#lib/server/compose/context'
import { callback, challengeOf, verifier } from '#lib/testing/process/postern'

/** The parameters of a valid request. */
export const asking = {
  response_type: 'code',
  client_id: 'acme-web',
  redirect_uri: callback,
  scope: 'openid name',
  state: 'state',
  code_challenge: challengeOf(verifier),
  code_challenge_method: 'S256',
}

/** Changes to a valid request, where undefined omits a parameter; or a whole query. */
export type Asked = Record<string, string | undefined> | string

/** Returns the query of a valid request with these changes. */
export function queryOf(asked: Asked): string {
  if (typeof asked === 'string') return asked
  const given = Object.entries({ ...asking, ...asked }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return new URLSearchParams(given).toString()
}

/** Returns the browser's request to the authorization endpoint. */
export function authorizeRequest(context: Context, asked: Asked, method: 'GET' | 'POST' = 'GET'): Request {
  const address = `${context.config.issuer}/oauth2/authorize`
  if (method === 'GET') return new Request(`${address}?${queryOf(asked)}`)
  return new Request(address, {
    method,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: queryOf(asked),
  })
}

/** The result of an authorization request: the response and where it leads. */
export type Outcome = {
  response: Response
  address: URL
  shown?: Problem | undefined
  accepted?: AuthorizationRequest
  returned?: Record<string, string>
}

/** Sends an authorization request and reads its result. */
export async function ask(context: Context, asked: Asked, method: 'GET' | 'POST' = 'GET'): Promise<Outcome> {
  const response = await answerAuthorize(context, authorizeRequest(context, asked, method))
  const address = new URL(response.headers.get('location') ?? '')
  const outcome = { response, address }
  if (address.origin !== context.config.accountUrl) {
    return { ...outcome, returned: Object.fromEntries(address.searchParams) }
  }
  if (address.pathname === '/error') {
    return { ...outcome, shown: openProblem(context, address.searchParams.get('e') ?? '') }
  }
  const opened = openRequest(context, 'bearer', address.searchParams.get('request') ?? '')
  return opened.kind === 'open' ? { ...outcome, accepted: opened.flow.request } : outcome
}

import { collectParameters } from '#lib/http/form'
import type { OAuthContext } from '#lib/oauth/context'
import type { Parameters } from '#lib/oauth/endpoint'
import { findPushed, issuedPrefix } from './pushed-request.ts'
import { type CheckedRequest, checkParameters, requestParameters, shown } from './request.ts'

/** Checks an authorization request as it came, or the pushed request that it names (RFC 9126 §4). */
export async function checkRequest(context: OAuthContext, query: string): Promise<CheckedRequest> {
  const sent = collectParameters(query, requestParameters)
  if (!sent) return shown('encoding', 'the request is not valid form encoding')
  const clientId = sent.values.get('client_id')
  if (clientId === undefined) return shown('client_id', 'client_id is missing or repeated')
  const client = await context.store.findClient(clientId)
  if (!client) return shown('client_id', 'unknown client_id')
  const requestUri = pushedUri(sent.values)
  if (requestUri === undefined) return checkParameters(context, client, sent, 'sent')
  const pushed = await findPushed(context, client, requestUri)
  if (!pushed) return shown('request_uri', 'request_uri is unknown, expired, used or of another app', client)
  // Every parameter beside client_id and request_uri is ignored: none of them was authenticated.
  const values = new Map(Object.entries(pushed.parameters))
  return checkParameters(context, client, { values, repeated: undefined }, { pushedAs: pushed.requestId })
}

/**
 * Returns the request_uri of an authorization request if it can be one of ours. Any other one would have to be fetched,
 * which is not supported.
 */
function pushedUri(values: Parameters): string | undefined {
  const uri = values.get('request_uri')
  if (!uri?.startsWith(issuedPrefix)) return undefined
  const isOurs = /^[A-Za-z0-9_-]{43}$/.test(uri.slice(issuedPrefix.length))
  return isOurs || !values.has('redirect_uri') ? uri : undefined
}

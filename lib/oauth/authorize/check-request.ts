import { collectParameters } from '#lib/http/form'
import type { Client } from '#lib/oauth/client/client'
import type { OAuthContext } from '#lib/oauth/context'
import { listParameters, type Parameters, repeatedParameter } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'
import { findPushed, issuedPrefix } from './pushed-request.ts'
import { type CheckedRequest, checkParameters, readReturn, requestParameters, shown } from './request.ts'
import { openRequestObject, readRefused } from './request-object.ts'

/** Checks an authorization request: the pushed request that it names (RFC 9126 §4), its request object, or its parameters. */
export async function checkRequest(context: OAuthContext, query: string): Promise<CheckedRequest> {
  const sent = collectParameters(query, requestParameters, listParameters)
  if (!sent) return shown('encoding', 'the request is not valid form encoding')
  const clientId = sent.values.get('client_id')
  if (clientId === undefined) return shown('client_id', 'client_id is missing or repeated')
  const client = await context.store.findClient(clientId)
  if (!client) return shown('client_id', 'unknown client_id')
  const requestUri = pushedUri(sent.values)
  if (requestUri !== undefined) return checkPushed(context, client, requestUri)
  const object = sent.values.get('request')
  // RFC 9101 §5: a request has either `request` or `request_uri`.
  if (object !== undefined && !sent.values.has('request_uri')) return checkObject(context, client, sent, object)
  return checkParameters(context, client, sent, { isPushed: false, isSigned: false })
}

/** Ignores every parameter other than client_id and request_uri, because the app did not push it. */
async function checkPushed(context: OAuthContext, client: Client, requestUri: string): Promise<CheckedRequest> {
  const pushed = await findPushed(context, client, requestUri)
  if (!pushed) return shown('request_uri', 'request_uri is unknown, expired, used or of another app', client)
  const values = new Map(Object.entries(pushed.parameters))
  const arrival = { isPushed: true, isSigned: true, id: pushed.requestId }
  return checkParameters(context, client, { values, repeated: undefined }, arrival)
}

async function checkObject(
  context: OAuthContext,
  client: Client,
  { values: outer, repeated }: { values: Parameters; repeated: string | undefined },
  object: string,
): Promise<CheckedRequest> {
  try {
    if (repeated !== undefined) throw repeatedParameter(repeated)
    const values = await openRequestObject(context, client, object)
    return await checkParameters(context, client, { values, repeated: undefined }, { isPushed: false, isSigned: true })
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const refused = readRefused(object)
    const { redirect_uri: _, ...beside } = Object.fromEntries(refused)
    const inner = readReturn(client, new Map([...outer, ...refused]))
    // If the redirect URI inside the object is not registered, the one beside the object receives the error.
    const to = 'kind' in inner ? readReturn(client, new Map([...outer, ...Object.entries(beside)])) : inner
    if (!('kind' in to)) return { kind: 'returned', error, to, client }
    return repeated === undefined ? { ...to, error, culprit: 'request' } : { ...to, error }
  }
}

/**
 * Returns the request_uri if this server may have issued it. Any other URI would have to be fetched, which is not
 * supported: a redirect says so, or a page if the request has no redirect URI.
 */
function pushedUri(values: Parameters): string | undefined {
  const uri = values.get('request_uri')
  if (!uri?.startsWith(issuedPrefix)) return undefined
  const isOurs = /^[A-Za-z0-9_-]{43}$/.test(uri.slice(issuedPrefix.length))
  return isOurs || !values.has('redirect_uri') ? uri : undefined
}

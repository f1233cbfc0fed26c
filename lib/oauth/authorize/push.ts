import type { Client } from '#lib/oauth/client/client'
import { authenticationParameters } from '#lib/oauth/client/client-auth'
import type { OAuthContext } from '#lib/oauth/context'
import { bindPushed } from '#lib/oauth/dpop/code-binding'
import { claimProof, readProven } from '#lib/oauth/dpop/token-proof'
import { answerEndpoint, type EndpointCall, json, type Parameters } from '#lib/oauth/endpoint'
import { OAuthError, TooManyAttempts } from '#lib/oauth/error'
import { keepPushed, pushedLifetime } from './pushed-request.ts'
import { type AuthorizationRequest, checkParameters, requestParameters } from './request.ts'
import { openRequestObject } from './request-object.ts'

const known = new Set([...authenticationParameters, ...requestParameters])

/** POST /oauth2/par (RFC 9126 §2, RFC 9449 §10.1): checks an authorization request and keeps it for the browser that names it. */
export const answerPush = (context: OAuthContext, request: Request): Promise<Response> =>
  answerEndpoint(context, 'par', request, async (call) => {
    const { form, client, proof } = await readProven(context, call, known)
    if (form.has('request_uri'))
      throw new OAuthError('invalid_request', 'A pushed request must not have the parameter request_uri.')
    // RFC 9126 §3: if there is a request object, the parameters outside it are ignored.
    const object = form.get('request')
    const sent = object === undefined ? form : await openRequestObject(context, client, object)
    const values = bindPushed(readPushed(sent, client), proof)
    const arrival = { isPushed: true, isSigned: object !== undefined }
    const checked = await checkParameters(context, client, { values, repeated: undefined }, arrival)
    if (checked.kind !== 'accepted') throw checked.error
    refuseTooLarge(checked.request)
    await countPush(context, call, client)
    if (proof) await claimProof(context, proof)
    const pushed = { requestId: checked.request.id, parameters: Object.fromEntries(values) }
    const requestUri = await keepPushed(context, client, pushed)
    return json({ request_uri: requestUri, expires_in: pushedLifetime }, 201)
  })

/** Returns the parameters to store: those of the authorization request, without the client's credentials. */
function readPushed(sent: Parameters, client: Client): Parameters {
  const parameters = [...sent].filter(([name]) => requestParameters.has(name))
  if (JSON.stringify(parameters).length > mostCharacters)
    throw new OAuthError('invalid_request', `A pushed request must have at most ${mostCharacters} characters.`)
  return new Map([...parameters, ['client_id', client.id]])
}

const mostCharacters = 16 * 1024

/**
 * Refuses a request that the browser could not carry: its URL holds the sealed request (`longestSeal` in
 * lib/flow/interaction.ts). The authorization endpoint measures the seal itself.
 */
function refuseTooLarge(request: AuthorizationRequest) {
  if (Buffer.byteLength(JSON.stringify(request)) > mostCarried)
    throw new OAuthError('invalid_request', 'The authorization request is too large. Send fewer or shorter parameters.')
}

const mostCarried = 9600

/** Limits the rows of an app that pushes without authentication (RFC 9126 §2.3). */
async function countPush(context: OAuthContext, call: EndpointCall, client: Client) {
  if (client.kind !== 'public') return
  const address = call.request.headers.get('x-postern-client') ?? 'unknown'
  const wait = await context.pushes.count(client.id, address)
  if (wait > 0) throw new TooManyAttempts(wait, 'pushed requests')
}

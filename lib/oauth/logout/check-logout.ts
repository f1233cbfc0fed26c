import { collectParameters } from '#lib/http/form'
import type { Client } from '#lib/oauth/client/client'
import type { OAuthContext } from '#lib/oauth/context'
import type { Parameters } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'

/** A checked logout request (RP-Initiated Logout 1.0 §2), which the browser carries sealed to the account host. */
export type LogoutRequest = {
  /** The app that the hint or `client_id` names. */
  clientId: string | undefined
  /** The session and the person that the ID token hint names, by the identifiers of the app's team. */
  hint: LogoutHint | undefined
  /** The registered address to return to. */
  returnUri: string | undefined
  state: string | undefined
  uiLocales: string | undefined
}
export type LogoutHint = { subject: string; sid: string | undefined }

/** `shown`: a page explains the refusal, and there is no redirect (RP-Initiated Logout 1.0 §4). */
export type CheckedLogout =
  | { kind: 'accepted'; request: LogoutRequest }
  | { kind: 'shown'; culprit: LogoutCulprit; error: OAuthError; client: Client | undefined }
export type LogoutCulprit = 'client_id' | 'id_token_hint' | 'post_logout_redirect_uri' | 'request'

/** Every parameter that a request may have. Others are ignored, and so is `logout_hint`: the page lists the accounts. */
const logoutParameters: ReadonlySet<string> = new Set([
  'id_token_hint',
  'logout_hint',
  'client_id',
  'post_logout_redirect_uri',
  'state',
  'ui_locales',
])

/** Checks a logout request (RP-Initiated Logout 1.0 §2, §3). */
export async function checkLogout(context: OAuthContext, query: string): Promise<CheckedLogout> {
  const sent = collectParameters(query, logoutParameters)
  if (!sent) return refuse('request', 'the request is not valid form encoding')
  if (sent.repeated !== undefined) return refuse('request', `the parameter ${sent.repeated} is repeated`)
  const { values } = sent
  const hint = await readHint(context, values)
  if (hint === 'foreign') return refuse('id_token_hint', 'id_token_hint is not an ID token of this issuer')
  const clientId = values.get('client_id') ?? hint?.clientId
  const client = clientId === undefined ? undefined : await context.store.findClient(clientId)
  if (clientId !== undefined && !client) return refuse('client_id', 'unknown client_id')
  // §2: "the OP MUST verify that the Client Identifier matches the one used when issuing the ID Token".
  if (hint && hint.clientId !== clientId)
    return refuse('id_token_hint', 'id_token_hint was issued to another app than client_id', client)
  const returnUri = values.get('post_logout_redirect_uri')
  if (returnUri !== undefined && !isRegisteredReturn(client, returnUri)) return refuseReturn(client, returnUri)
  return {
    kind: 'accepted',
    request: {
      clientId,
      hint: hint && { subject: hint.subject, sid: hint.sid },
      returnUri,
      state: values.get('state'),
      uiLocales: values.get('ui_locales')?.slice(0, 200),
    },
  }
}

/** Compares exactly with the registered addresses; without an app, no address is registered (RP-Initiated Logout 1.0 §3). */
export const isRegisteredReturn = (client: Client | undefined, uri: string): boolean =>
  client?.registration.post_logout_redirect_uris?.includes(uri) === true

/**
 * Reads the ID token hint. The token may be expired, and its key retired (§2: "even when the exp time has passed"); a key
 * that leaked verifies nothing.
 */
async function readHint(
  context: OAuthContext,
  values: Parameters,
): Promise<(LogoutHint & { clientId: string }) | 'foreign' | undefined> {
  const token = values.get('id_token_hint')
  if (token === undefined) return undefined
  const claims = await context.keys.verifyHint(token)
  if (claims?.iss !== context.issuer || typeof claims.aud !== 'string' || typeof claims.sub !== 'string')
    return 'foreign'
  return { clientId: claims.aud, subject: claims.sub, sid: typeof claims.sid === 'string' ? claims.sid : undefined }
}

const refuse = (culprit: LogoutCulprit, reason: string, client?: Client, detail = {}): CheckedLogout => ({
  kind: 'shown',
  culprit,
  client,
  error: new OAuthError('invalid_request', reason, reason, detail),
})

function refuseReturn(client: Client | undefined, received: string): CheckedLogout {
  if (!client)
    return refuse('post_logout_redirect_uri', 'post_logout_redirect_uri needs id_token_hint or client_id beside it')
  return refuse('post_logout_redirect_uri', 'post_logout_redirect_uri is not registered for this app', client, {
    received: received.slice(0, 2000),
    registered: client.registration.post_logout_redirect_uris ?? [],
  })
}

import type { Client } from '#lib/oauth/client/client'
import { profileOf } from '#lib/oauth/client/profile'
import type { OAuthContext } from '#lib/oauth/context'
import { needsProof } from '#lib/oauth/dpop/token-proof'
import type { TokenResponse } from '#lib/oauth/token/signed-tokens'

type Sent = { code: string; redirectUri: string; verifier: string; resource: string | undefined }

/** Returns the token request that the app sends, with placeholders for its credentials and for its redirect URI. */
export function shownTokenRequest(
  { issuer }: OAuthContext,
  client: Client,
  { code, redirectUri, resource }: Sent,
): string {
  const method = client.registration.token_endpoint_auth_method ?? profileOf(client.profile).authMethods[client.kind][0]
  const body = [
    ['grant_type', 'authorization_code'],
    ['code', `${code.slice(0, 6)}…`],
    ['redirect_uri', redirectUri],
    ['code_verifier', '…'],
    ...(resource === undefined ? [] : [['resource', resource]]),
    ...(method === 'none' || method === 'client_secret_post' ? [['client_id', client.id]] : []),
    ...(method === 'client_secret_post' ? [['client_secret', '…']] : []),
    ...(method === 'private_key_jwt'
      ? [
          ['client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'],
          ['client_assertion', '…'],
        ]
      : []),
  ]
  return [
    `POST ${issuer}/oauth2/token`,
    ...(method === 'client_secret_basic' ? [`Authorization: Basic base64(${client.id}:…)`] : []),
    ...(needsProof(client) ? ['DPoP: …'] : []),
    'Content-Type: application/x-www-form-urlencoded',
    '',
    body.map(([name, value]) => `${name}=${value}`).join('\n&'),
  ].join('\n')
}

/** Returns the request for userinfo. */
export const shownUserinfoRequest = ({ issuer }: OAuthContext, { token_type }: TokenResponse): string =>
  [`GET ${issuer}/userinfo`, `Authorization: ${token_type} …`, ...(token_type === 'DPoP' ? ['DPoP: …'] : [])].join('\n')

/** Returns the answer of the token endpoint with shortened tokens. */
export const shownResponse = (body: Partial<TokenResponse> | Record<string, string>): string =>
  JSON.stringify(
    body,
    (name, value) => (/_token$/.test(name) && typeof value === 'string' ? `${value.slice(0, 6)}…` : value),
    2,
  )

import { createLocalJWKSet, type JWTPayload, jwtVerify, type ProtectedHeaderParameters } from 'jose'
import type { Changes, Client } from './client.ts'
import { expect, type Provider } from './provider.ts'
import type { UserAgent } from './user-agent.ts'

/** The members of a successful token response. */
export type Tokens = {
  access_token: string
  id_token: string
  refresh_token: string
  token_type: string
  expires_in: number
  scope: string
}

/** Signs in at an app and exchanges the code. */
export async function tokensOf(agent: UserAgent, client: Client, parameters: Changes = {}): Promise<Tokens> {
  const answer = await client.exchange(await agent.authorize(client, parameters))
  expect(answer.status, answer.text).toBe(200)
  return answer.json()
}

type IdToken = { header: ProtectedHeaderParameters; claims: JWTPayload }

/** Verifies an ID token as an app does (OpenID Connect Core §3.1.3.7): signature, issuer, audience and times. */
export async function readIdToken(provider: Provider, client: Client, idToken: string): Promise<IdToken> {
  const keys = createLocalJWKSet((await provider.send(provider.discovery.jwks_uri)).json())
  const { protectedHeader, payload } = await jwtVerify(idToken, keys, { issuer: provider.issuer, audience: client.id })
  return { header: protectedHeader, claims: payload }
}

/** Signs in at an app. Returns the verified ID token. */
export async function idTokenOf(
  provider: Provider,
  agent: UserAgent,
  client: Client,
  parameters: Changes = {},
): Promise<IdToken> {
  return readIdToken(provider, client, (await tokensOf(agent, client, parameters)).id_token)
}

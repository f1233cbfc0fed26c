import { createLocalJWKSet, type JWTPayload, jwtVerify, type ProtectedHeaderParameters } from 'jose'
import type { Client } from './client.ts'
import { expect, type Provider } from './provider.ts'

export type SignedResponse = { header: ProtectedHeaderParameters; claims: JWTPayload & Record<string, string> }

/**
 * Verifies a signed authorization response as an app does (JARM §2.4): `response` is the only parameter, and its
 * signature, issuer, audience and expiry are right.
 */
export async function readSignedResponse(
  provider: Provider,
  client: Client,
  returned: Record<string, string> | undefined,
): Promise<SignedResponse> {
  expect(Object.keys(returned ?? {})).toEqual(['response'])
  const keys = createLocalJWKSet((await provider.send(provider.discovery.jwks_uri)).json())
  const checks = { issuer: provider.issuer, audience: client.id, requiredClaims: ['exp'] }
  const { protectedHeader, payload } = await jwtVerify(returned?.response ?? '', keys, checks)
  return { header: protectedHeader, claims: payload as SignedResponse['claims'] }
}

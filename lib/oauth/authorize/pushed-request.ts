import { sha256 } from '#lib/crypto/hash'
import type { Client } from '#lib/oauth/client/client'
import type { OAuthContext } from '#lib/oauth/context'
import type { PushedRequest } from '#lib/oauth/store'

/** Seconds in which a pushed request can begin. RFC 9126 §2.2 suggests 5 to 600; FAPI 2.0 requires fewer than 600. */
export const pushedLifetime = 90

/** The beginning of every request_uri that we issue; RFC 9126 §2.2 suggests it. */
export const issuedPrefix = 'urn:ietf:params:oauth:request_uri:'

/** Finds the request that this app pushed; undefined if it has expired or was completed. */
export const findPushed = ({ store, now }: OAuthContext, client: Client, requestUri: string) =>
  store.findPushedRequest(sha256(requestUri), client.id, now())

/** Stores a checked request and returns its request_uri, with 256 random bits (RFC 9126 §7.1 requires 128). */
export async function keepPushed(context: OAuthContext, client: Client, pushed: PushedRequest): Promise<string> {
  const requestUri = `${issuedPrefix}${context.random(32).toString('base64url')}`
  const expiresAt = new Date(context.now().getTime() + pushedLifetime * 1000)
  await context.store.insertPushedRequest({ id: sha256(requestUri), clientId: client.id, expiresAt, ...pushed })
  return requestUri
}

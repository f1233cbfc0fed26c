import { equalText, hmac } from '#lib/crypto/hash'
import type { Secrets } from '#lib/oauth/context'

/** A refresh token taken apart: `rt_{authorization id}.{secret}.{tag}` (design §4). */
export type RefreshToken = { authorizationId: string; secret: string }

/** Writes a refresh token; its tag proves later that it was ours, so that junk is told apart from an old token. */
export function writeRefreshToken(secrets: Secrets, { authorizationId, secret }: RefreshToken): string {
  return `rt_${authorizationId}.${secret}.${tagOf(secrets.current('refresh-tag'), authorizationId, secret)}`
}

/** Reads a refresh token whose tag is right; undefined for everything else. */
export function readRefreshToken(secrets: Secrets, token: string): RefreshToken | undefined {
  const [, authorizationId, secret, tag] =
    /^rt_([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{22})$/.exec(token) ?? []
  if (!authorizationId || !secret || !tag) return undefined
  const ours = secrets.all('refresh-tag').some((key) => equalText(tag, tagOf(key, authorizationId, secret)))
  return ours ? { authorizationId, secret } : undefined
}

/** The one successor a refresh secret can have, under each master key: a repeated request arrives at the same. */
export function successorsOf(secrets: Secrets, salt: string, secret: string): string[] {
  return secrets.all('refresh-successor').map((key) => hmac(key, salt, secret).toString('base64url'))
}

const tagOf = (key: Uint8Array, id: string, secret: string) =>
  hmac(key, id, secret).subarray(0, 16).toString('base64url')

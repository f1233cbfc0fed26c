import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose'
import { equalText, halfHash } from '#lib/crypto/hash'
import type { OAuthContext } from '#lib/oauth/context'

/** A token without its signature, so that a copy of it is worth nothing. */
export type DecodedToken = {
  header: Record<string, unknown>
  claims: Record<string, unknown>
  checks: { name: CheckName; isGood: boolean }[]
}

export type CheckName = 'signature' | 'typ' | 'iss' | 'aud' | 'exp' | 'nonce' | 'at_hash'

/** The values that a token must have. */
type Wanted = { typ: string; aud: string; nonce?: string; accessToken?: string }

/** Decodes a token, and checks it with the published keys as a client does (OpenID Connect Core §3.1.3.7, RFC 9068 §4). */
export async function decodeToken(
  { keys, issuer, now }: Pick<OAuthContext, 'keys' | 'issuer' | 'now'>,
  token: string,
  wanted: Wanted,
): Promise<DecodedToken> {
  const published = createLocalJWKSet({ keys: await keys.published() })
  const verified = await compactVerify(token, published).catch(() => undefined)
  const header = { ...decodeProtectedHeader(token) }
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<
    string,
    unknown
  >
  const checks: DecodedToken['checks'] = [
    { name: 'signature', isGood: verified !== undefined },
    { name: 'typ', isGood: header.typ === wanted.typ },
    { name: 'iss', isGood: claims.iss === issuer },
    { name: 'aud', isGood: claims.aud === wanted.aud },
    { name: 'exp', isGood: Number(claims.exp) * 1000 > now().getTime() },
  ]
  if (wanted.nonce !== undefined) checks.push({ name: 'nonce', isGood: claims.nonce === wanted.nonce })
  if (wanted.accessToken !== undefined)
    checks.push({ name: 'at_hash', isGood: equalText(String(claims.at_hash), halfHash(wanted.accessToken)) })
  return { header, claims, checks }
}

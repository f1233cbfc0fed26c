import { equalText, hmac } from '#lib/crypto/hash'
import type { OAuthContext } from '#lib/oauth/context'
import { OAuthError } from '#lib/oauth/error'

/** The lifetime of a nonce in seconds. Every response to an app that uses nonces brings a new one. */
const lifetime = 300

type Sealer = Pick<OAuthContext, 'secrets' | 'now'>

/**
 * Returns a nonce for DPoP proofs (RFC 9449 §8): the time and its MAC. Clients cannot forge it, and the server need not
 * store it.
 */
export function makeNonce({ secrets, now }: Sealer): string {
  const time = Math.floor(now().getTime() / 1000).toString(36)
  return `${time}.${tagOf(secrets.current('dpop-nonce'), time)}`
}

/** Refuses a proof without a current nonce of this server (RFC 9449 §8, §9). */
export function checkNonce(sealer: Sealer, nonce: unknown): void {
  if (isCurrent(sealer, nonce)) return
  throw new OAuthError(
    'use_dpop_nonce',
    'Send the DPoP proof again with the nonce of the header DPoP-Nonce.',
    nonce === undefined ? 'the proof has no nonce' : 'the nonce of the proof is not ours or too old',
  )
}

function isCurrent({ secrets, now }: Sealer, nonce: unknown): boolean {
  const [, time, tag] = (typeof nonce === 'string' && /^([0-9a-z]{1,10})\.([\w-]{22})$/.exec(nonce)) || []
  if (!time || !tag || !secrets.all('dpop-nonce').some((key) => equalText(tag, tagOf(key, time)))) return false
  return now().getTime() / 1000 - Number.parseInt(time, 36) < lifetime
}

const tagOf = (key: Uint8Array, time: string) => hmac(key, time).subarray(0, 16).toString('base64url')

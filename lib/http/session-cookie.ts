import { sealData, unsealData } from 'iron-session'
import { sha256 } from '#lib/crypto/hash'
import { cookieName, readCookie, setCookie } from './cookies.ts'
import type { Site } from './site.ts'

/** Most accounts that one browser can be signed in to; browsers limit the size of a cookie. */
export const mostAccounts = 5

/**
 * Returns a key as an id and a password for iron-session. The id is a hash of the key, so that cookies outlive a
 * rotation of the master key.
 */
const passwordOf = (key: Buffer) => [
  String(Number.parseInt(sha256(key.toString('hex')).replace(/\D/g, '').slice(0, 9), 10)),
  key.toString('base64url'),
]

/** Returns the Set-Cookie line with the session secrets of a browser, the account in use first. Without any, it deletes the cookie. */
export async function sessionCookie(site: Site, secrets: string[], maxAge: number): Promise<string> {
  if (secrets.length === 0) return setCookie(site, 'session', '', 0)
  const password = Object.fromEntries([passwordOf(site.secrets.current('session-cookie'))])
  const sealed = await sealData({ secrets: secrets.slice(0, mostAccounts) }, { password, ttl: maxAge })
  return setCookie(site, 'session', sealed, maxAge)
}

/** Returns the session secrets of a browser, the account in use first; a session's id is the hash of its secret. */
export async function heldSecrets(site: Site, cookies: string | null): Promise<string[]> {
  const sealed = readCookie(cookies, cookieName(site, 'session'))
  if (!sealed) return []
  const password = Object.fromEntries(site.secrets.all('session-cookie').map(passwordOf))
  const { secrets } = await unsealData<{ secrets?: string[] }>(sealed, { password, ttl: 0 })
  return secrets ?? []
}

/** Returns the id of the session that the browser claims to use; the store decides whether it is live. */
export async function claimedSession(site: Site, cookies: string | null): Promise<string | undefined> {
  const [inUse] = await heldSecrets(site, cookies)
  return inUse && sha256(inUse)
}

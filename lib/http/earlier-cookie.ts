import { sha256 } from '#lib/crypto/hash'
import type { Site } from './site.ts'

/**
 * Returns whether a session cookie has the format of version 0.1.0, which sealed it with iron-session (decision 0078). Does not
 * verify the seal. A cookie with five accounts has about 600 characters.
 */
export const isEarlierCookie = (sealed: string): boolean => sealed.startsWith('Fe26.2*') && sealed.length <= 2000

/** Returns the session secrets in a cookie of version 0.1.0; an empty list if its seal is invalid. */
export async function openEarlierCookie({ secrets }: Pick<Site, 'secrets'>, sealed: string): Promise<string[]> {
  // A dynamic import, because no browser has such a cookie 30 days after the upgrade.
  const { unsealData } = await import('iron-session')
  const password = Object.fromEntries(secrets.all('session-cookie').map(passwordOf))
  const opened = await unsealData<{ secrets?: string[] }>(sealed, { password, ttl: 0 })
  return opened.secrets ?? []
}

/** Returns a key as an id and a password. The id is a hash of the key, so that cookies outlive a rotation of the master key. */
const passwordOf = (key: Buffer) => [
  String(Number.parseInt(sha256(key.toString('hex')).replace(/\D/g, '').slice(0, 9), 10)),
  key.toString('base64url'),
]

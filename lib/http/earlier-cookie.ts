import { sha256 } from '#lib/crypto/hash'
import type { Site } from './site.ts'

/**
 * Returns whether a session cookie looks like one of version 0.1.0, which iron-session has sealed (decision 0078). Opening it
 * proves that. With five accounts it has about 600 characters.
 */
export const isEarlierCookie = (sealed: string): boolean => sealed.startsWith('Fe26.2*') && sealed.length <= 2000

/** Returns the session secrets of a cookie of version 0.1.0; none if it does not open. */
export async function openEarlierCookie({ secrets }: Pick<Site, 'secrets'>, sealed: string): Promise<string[]> {
  // Loaded with the first such cookie: a month after the upgrade, no browser has one.
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

import { randomBytes } from 'node:crypto'
import { sha256 } from '#lib/crypto/hash'
import type { Site } from './site.ts'

type Host = { config: Pick<Site['config'], 'accountUrl'> }

const year = 365 * 86_400
const isSecure = ({ config }: Host) => config.accountUrl.startsWith('https:')

type CookieName = 'session' | 'browser' | 'flash' | 'pending' | 'known' | 'codes' | 'recovery'

/** Returns the full name of a cookie, with the `__Host-` prefix under https. "postern-" keeps other ports of localhost apart. */
export const cookieName = (host: Host, name: CookieName) => `${isSecure(host) ? '__Host-' : ''}postern-${name}`

/** Returns the value of one cookie of a Cookie header. */
export function readCookie(header: string | null, name: string): string | undefined {
  const pair = (header ?? '').split(';').find((part) => part.trim().startsWith(`${name}=`))
  return pair?.slice(pair.indexOf('=') + 1).trim()
}

/** Returns a Set-Cookie line: HttpOnly, SameSite=Lax, for the account host alone. */
export function setCookie(host: Host, name: CookieName, value: string, maxAge: number): string {
  return `${cookieName(host, name)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure(host) ? '; Secure' : ''}`
}

/** Returns the hash of the browser's id, and a Set-Cookie line with a new id when the browser has none. */
export function browserOf(host: Host, cookies: string | null): { hash: string; setCookie: string | undefined } {
  const known = readCookie(cookies, cookieName(host, 'browser'))
  if (known && /^[A-Za-z0-9_-]{43}$/.test(known)) return { hash: sha256(known), setCookie: undefined }
  const id = randomBytes(32).toString('base64url')
  return { hash: sha256(id), setCookie: setCookie(host, 'browser', id, year) }
}

import { randomBytes } from 'node:crypto'
import { sealData, unsealData } from 'iron-session'
import type { Config } from '#lib/config'
import type { DerivedKeys } from '#lib/keys/master-key'
import { sha256 } from '#lib/oauth/pkce'

type Site = { config: Pick<Config, 'accountUrl'>; secrets: DerivedKeys }

const year = 365 * 86_400
const secure = ({ config }: Site) => config.accountUrl.startsWith('https:')

/** A name of our own with the `__Host-` prefix where https allows it: hosts on localhost share cookies across ports. */
export const cookieName = (site: Site, name: 'session' | 'browser' | 'flash') =>
  `${secure(site) ? '__Host-' : ''}postern-${name}`

/** One cookie of a request. */
export function readCookie(header: string | null, name: string): string | undefined {
  const pair = (header ?? '').split(';').find((part) => part.trim().startsWith(`${name}=`))
  return pair?.slice(pair.indexOf('=') + 1).trim()
}

/** A Set-Cookie line: HttpOnly, Lax, for the account host alone. */
export function setCookie(site: Site, name: 'session' | 'browser' | 'flash', value: string, maxAge: number): string {
  return `${cookieName(site, name)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure(site) ? '; Secure' : ''}`
}

/** The hash of the browser's own id, and the line that gives it one when it has none. */
export function browserOf(site: Site, cookies: string | null): { hash: string; setCookie: string | undefined } {
  const known = readCookie(cookies, cookieName(site, 'browser'))
  if (known && /^[A-Za-z0-9_-]{43}$/.test(known)) return { hash: sha256(known), setCookie: undefined }
  const id = randomBytes(32).toString('base64url')
  return { hash: sha256(id), setCookie: setCookie(site, 'browser', id, year) }
}

/** Keys by a number that stays with the key, so that cookies outlive a rotation of the master key. */
const named = (key: Buffer) => [
  String(Number.parseInt(sha256(key.toString('hex')).replace(/\D/g, '').slice(0, 9), 10)),
  key.toString('base64url'),
]

/** The cookie line of a session, sealed by iron-session around the session's secret. */
export async function sessionCookie(site: Site, secret: string, maxAge: number): Promise<string> {
  const password = Object.fromEntries([named(site.secrets.current('session-cookie'))])
  return setCookie(site, 'session', await sealData({ secret }, { password, ttl: maxAge }), maxAge)
}

/** The id of the session a browser claims to have: the hash of the secret in its cookie. */
export async function claimedSession(site: Site, cookies: string | null): Promise<string | undefined> {
  const sealed = readCookie(cookies, cookieName(site, 'session'))
  if (!sealed) return undefined
  const password = Object.fromEntries(site.secrets.all('session-cookie').map(named))
  const { secret } = await unsealData<{ secret?: string }>(sealed, { password, ttl: 0 })
  return secret ? sha256(secret) : undefined
}

import { randomBytes } from 'node:crypto'
import { sealData, unsealData } from 'iron-session'
import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { sha256 } from '#lib/crypto/hash'
import type { Config } from '#lib/server/settings/config'

type Site = { config: Pick<Config, 'accountUrl'>; secrets: DerivedKeys }

/** More accounts in one browser than anybody switches between; a cookie has limits. */
export const mostAccounts = 5

const year = 365 * 86_400
const secure = ({ config }: Site) => config.accountUrl.startsWith('https:')

type CookieName = 'session' | 'browser' | 'flash' | 'pending' | 'known' | 'codes' | 'recovery'

/** A name of our own with the `__Host-` prefix where https allows it: hosts on localhost share cookies across ports. */
export const cookieName = (site: Site, name: CookieName) => `${secure(site) ? '__Host-' : ''}postern-${name}`

/** One cookie of a request. */
export function readCookie(header: string | null, name: string): string | undefined {
  const pair = (header ?? '').split(';').find((part) => part.trim().startsWith(`${name}=`))
  return pair?.slice(pair.indexOf('=') + 1).trim()
}

/** A Set-Cookie line: HttpOnly, Lax, for the account host alone. */
export function setCookie(site: Site, name: CookieName, value: string, maxAge: number): string {
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

/** The cookie line of the accounts signed in in a browser, the one in use first, sealed by iron-session. */
export async function sessionCookie(site: Site, secrets: string[], maxAge: number): Promise<string> {
  if (secrets.length === 0) return setCookie(site, 'session', '', 0)
  const password = Object.fromEntries([named(site.secrets.current('session-cookie'))])
  const sealed = await sealData({ secrets: secrets.slice(0, mostAccounts) }, { password, ttl: maxAge })
  return setCookie(site, 'session', sealed, maxAge)
}

/** The secrets a browser holds, the one in use first; the hash of each is a session's id. */
export async function heldSecrets(site: Site, cookies: string | null): Promise<string[]> {
  const sealed = readCookie(cookies, cookieName(site, 'session'))
  if (!sealed) return []
  const password = Object.fromEntries(site.secrets.all('session-cookie').map(named))
  const { secrets } = await unsealData<{ secrets?: string[] }>(sealed, { password, ttl: 0 })
  return secrets ?? []
}

/** The id of the session a browser claims to have in use. */
export async function claimedSession(site: Site, cookies: string | null): Promise<string | undefined> {
  const [inUse] = await heldSecrets(site, cookies)
  return inUse && sha256(inUse)
}

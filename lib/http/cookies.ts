import { sha256 } from '#lib/crypto/hash'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { isEarlierCookie, openEarlierCookie } from './earlier-cookie.ts'
import type { Site } from './site.ts'

type Host = { config: Pick<Site['config'], 'accountUrl'> }

const isSecure = ({ config }: Host) => config.accountUrl.startsWith('https:')

export const cookieNames = [
  'session',
  'browser',
  'flash',
  'pending',
  'known',
  'offer',
  'codes',
  'recovery',
  'secure',
] as const
type CookieName = (typeof cookieNames)[number]

/**
 * Returns the full name of a cookie, with the `__Host-` prefix under https. "postern-" avoids clashes with other
 * servers on localhost, because cookies ignore ports.
 */
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

const year = 365 * 86_400

/** Returns the hash of the id that a browser sends. */
export function sentBrowser(site: Pick<Site, 'config'>, cookies: string | null): string | undefined {
  const id = readCookie(cookies, cookieName(site, 'browser'))
  return id && /^[A-Za-z0-9_-]{43}$/.test(id) ? sha256(id) : undefined
}

export type Browser = { hash: string; setCookie: string | undefined }

const named = new WeakMap<Request, Browser>()

/**
 * Returns the hash of the browser's id. For a browser without an id, makes one, the same for the whole request, and
 * returns its Set-Cookie line.
 */
export function browserOf(site: Pick<Site, 'config' | 'random'>, request: Request): Browser {
  const hash = sentBrowser(site, request.headers.get('cookie'))
  if (hash !== undefined) return { hash, setCookie: undefined }
  const browser = named.get(request) ?? nameBrowser(site)
  named.set(request, browser)
  return browser
}

function nameBrowser(site: Pick<Site, 'config' | 'random'>): Browser {
  const id = site.random(32).toString('base64url')
  return { hash: sha256(id), setCookie: setCookie(site, 'browser', id, year) }
}

/** The greatest number of accounts that one browser can be signed in to; browsers limit the size of a cookie. */
export const mostAccounts = 5

/** The longest life of a session. */
export const mostSessionDays = 30

/** Contains the session secrets of a browser. The database stores when each session ends. */
const sessions: TokenKind = { purpose: 'seal-session', seconds: mostSessionDays * 86_400, longest: 1500 }

/**
 * Returns the Set-Cookie line with the session secrets of a browser, the account in use first; without secrets, the
 * line deletes the cookie.
 */
export function sessionCookie(site: Site, secrets: string[]): string {
  if (secrets.length === 0) return setCookie(site, 'session', '', 0)
  const sealed = sealToken(site, sessions, 'bearer', secrets.slice(0, mostAccounts))
  return setCookie(site, 'session', sealed, sessions.seconds)
}

/** Returns the session secrets of a browser, the account in use first; a session's id is the hash of its secret. */
export async function heldSecrets(site: Site, cookies: string | null): Promise<string[]> {
  const sealed = readCookie(cookies, cookieName(site, 'session')) ?? ''
  if (isEarlierCookie(sealed)) return openEarlierCookie(site, sealed)
  return openToken<string[]>(site, sessions, 'bearer', sealed) ?? []
}

/** Returns the id of the session that the browser claims to use; the store decides whether it is live. */
export async function claimedSession(site: Site, cookies: string | null): Promise<string | undefined> {
  const [inUse] = await heldSecrets(site, cookies)
  return inUse && sha256(inUse)
}

import type { Site } from './site.ts'

type Host = { config: Pick<Site['config'], 'accountUrl'> }

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

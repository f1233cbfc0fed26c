import { openSealed, sealBytes } from '#lib/crypto/seal'
import { cookieName, readCookie, setCookie } from './cookies.ts'
import type { Site } from './site.ts'

const purposes = { known: 'seal-known', codes: 'seal-codes' } as const
type Name = keyof typeof purposes

/** A cookie line whose content only we can read or change. */
export async function sealedCookie(site: Site, name: Name, value: unknown, seconds: number): Promise<string> {
  const told = Buffer.from(JSON.stringify({ value, until: site.now().getTime() + seconds * 1000 }))
  return setCookie(site, name, await sealBytes(site.secrets.current(purposes[name]), told), seconds)
}

/** What such a cookie holds, while it is good. */
export async function readSealedCookie<Value>(
  site: Site,
  cookies: string | null,
  name: Name,
): Promise<Value | undefined> {
  const sealed = readCookie(cookies, cookieName(site, name))
  const bytes = sealed && (await openSealed(site.secrets.all(purposes[name]), sealed))
  if (!bytes) return undefined
  const { value, until } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { value: Value; until: number }
  return site.now().getTime() < until ? value : undefined
}

import { openSealed, sealBytes } from '#lib/crypto/seal'
import type { Context } from '#lib/server/compose/context'
import { cookieName, readCookie, setCookie } from './cookies.ts'

const purposes = { known: 'seal-known', codes: 'seal-codes' } as const
type Name = keyof typeof purposes
type Site = Pick<Context, 'config' | 'secrets' | 'now'>

/** A cookie line whose content only we can read or change. */
export async function sealedCookie(context: Site, name: Name, value: unknown, seconds: number): Promise<string> {
  const told = Buffer.from(JSON.stringify({ value, until: context.now().getTime() + seconds * 1000 }))
  return setCookie(context, name, await sealBytes(context.secrets.current(purposes[name]), told), seconds)
}

/** What such a cookie holds, while it is good. */
export async function readSealedCookie<Value>(
  context: Site,
  cookies: string | null,
  name: Name,
): Promise<Value | undefined> {
  const sealed = readCookie(cookies, cookieName(context, name))
  const bytes = sealed && (await openSealed(context.secrets.all(purposes[name]), sealed))
  if (!bytes) return undefined
  const { value, until } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { value: Value; until: number }
  return context.now().getTime() < until ? value : undefined
}

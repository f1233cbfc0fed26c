import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { sha256 } from '#lib/crypto/hash'
import { openSealed, sealBytes } from '#lib/crypto/seal'
import { cookieName, readCookie, setCookie } from './cookies.ts'
import { goTo } from './redirect.ts'
import type { Site } from './site.ts'

/** What a form page needs to be shown again: problem codes and what was typed, never a password (design §3). */
export type Flash = {
  form: string
  problems: { field?: string; code: string; wait?: number; left?: number }[]
  kept: Record<string, string>
  /** What was done, for the page to say once. */
  done?: string
}

const seconds = 120
/** What was done is news for a moment only; what is wrong stays until it is put right. */
const newsSeconds = 20
/** Browsers drop a cookie above 4096 bytes, with its name and attributes. */
const longest = 3900

/** Goes to the page that says what a form found: that page alone, not another about the same kind of thing. */
export const goAndSay = async (
  site: Site,
  page: string,
  flash: Flash,
  cookies: (string | undefined)[] = [],
): Promise<Response> => goTo(page, [await flashCookie(site, flash, page), ...cookies])

/** A cookie line that carries a form's problems to a page, sealed and short-lived. */
export async function flashCookie(site: Site, flash: Flash, page: string): Promise<string> {
  const told = deflateRawSync(JSON.stringify({ ...flash, page: markOf(page), at: site.now().getTime() }))
  const sealed = await sealBytes(site.secrets.current('seal-flash'), told)
  // The problems matter more than what was typed: the longest text is left out until the cookie is kept.
  if (sealed.length > longest && Object.keys(flash.kept).length > 0)
    return flashCookie(site, { ...flash, kept: withoutLongest(flash.kept) }, page)
  return setCookie(site, 'flash', sealed, seconds)
}

function withoutLongest(kept: Flash['kept']): Flash['kept'] {
  const most = Math.max(...Object.values(kept).map(({ length }) => length))
  return Object.fromEntries(Object.entries(kept).filter(([, { length }]) => length < most))
}

/** A page's address may be longer than a cookie; a language chosen on it leaves the app's wish out of it. */
function markOf(page: string): string {
  const { pathname, searchParams } = new URL(page, 'http://page.invalid')
  searchParams.delete('ui_locales')
  return sha256(`${pathname}?${searchParams}`).slice(0, 16)
}

/** The problems meant for this form, on this page where one is named. */
export async function readFlash(
  site: Site,
  cookies: string | null,
  form: string,
  page?: string,
): Promise<Flash | undefined> {
  const sealed = readCookie(cookies, cookieName(site, 'flash'))
  const bytes = sealed && (await openSealed(site.secrets.all('seal-flash'), sealed))
  if (!bytes) return undefined
  const flash = inflate(bytes)
  const life = flash?.done === undefined ? seconds : newsSeconds
  const fresh = flash !== undefined && site.now().getTime() - flash.at < life * 1000
  const isHere = page === undefined || flash?.page === markOf(page)
  return fresh && isHere && flash.form === form ? flash : undefined
}

/** Undefined for content that is no flash. */
function inflate(bytes: Uint8Array): (Flash & { at: number; page: string }) | undefined {
  try {
    return JSON.parse(inflateRawSync(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

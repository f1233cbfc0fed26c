import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Context } from '#lib/context'
import { openSealed, sealBytes } from '#lib/keys/seal'
import { cookieName, readCookie, setCookie } from './cookies.ts'

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

/** A cookie line that carries a form's problems to its page, sealed and short-lived. */
export async function flashCookie(context: Context, flash: Flash): Promise<string> {
  const told = deflateRawSync(JSON.stringify({ ...flash, at: context.now().getTime() }))
  const sealed = await sealBytes(context.secrets.current('seal-flash'), told)
  // The problems matter more than what was typed: the longest text is left out until the cookie is kept.
  if (sealed.length > longest && Object.keys(flash.kept).length > 0)
    return flashCookie(context, { ...flash, kept: withoutLongest(flash.kept) })
  return setCookie(context, 'flash', sealed, seconds)
}

function withoutLongest(kept: Flash['kept']): Flash['kept'] {
  const most = Math.max(...Object.values(kept).map(({ length }) => length))
  return Object.fromEntries(Object.entries(kept).filter(([, { length }]) => length < most))
}

/** The problems meant for this form. */
export async function readFlash(context: Context, cookies: string | null, form: string): Promise<Flash | undefined> {
  const sealed = readCookie(cookies, cookieName(context, 'flash'))
  const bytes = sealed && (await openSealed(context.secrets.all('seal-flash'), sealed))
  if (!bytes) return undefined
  const flash = inflate(bytes)
  const life = flash?.done === undefined ? seconds : newsSeconds
  const fresh = flash !== undefined && context.now().getTime() - flash.at < life * 1000
  return fresh && flash.form === form ? flash : undefined
}

/** Problem pages are sealed with the same key: what is no flash says nothing here. */
function inflate(bytes: Uint8Array): (Flash & { at: number }) | undefined {
  try {
    return JSON.parse(inflateRawSync(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

import type { Context } from '#lib/context'
import { openSealed, sealBytes } from '#lib/keys/seal'
import { cookieName, readCookie, setCookie } from './cookies.ts'

/** What a form page needs to be shown again: problem codes and what was typed, never a password (design §3). */
export type Flash = {
  form: string
  problems: { field?: string; code: string; wait?: number }[]
  kept: Record<string, string>
}

const seconds = 120

/** A cookie line that carries a form's problems to its page, sealed and short-lived. */
export async function flashCookie(context: Context, flash: Flash): Promise<string> {
  const told = Buffer.from(JSON.stringify({ ...flash, at: context.now().getTime() }))
  return setCookie(context, 'flash', await sealBytes(context.secrets.current('seal-flash'), told), seconds)
}

/** The problems meant for this form. */
export async function readFlash(context: Context, cookies: string | null, form: string): Promise<Flash | undefined> {
  const sealed = readCookie(cookies, cookieName(context, 'flash'))
  const bytes = sealed && (await openSealed(context.secrets.all('seal-flash'), sealed))
  if (!bytes) return undefined
  const flash = JSON.parse(Buffer.from(bytes).toString('utf8')) as Flash & { at: number }
  const fresh = context.now().getTime() - flash.at < seconds * 1000
  return fresh && flash.form === form ? flash : undefined
}

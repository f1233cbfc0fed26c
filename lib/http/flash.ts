import { sha256 } from '#lib/crypto/hash'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { browserOf, cookieName, readCookie, sentBrowser, setCookie } from './cookies.ts'
import { goTo } from './redirect.ts'
import type { Site } from './site.ts'

/** The result of a form, shown on the next page: problem codes and the values typed, never a password (design §3). */
export type Flash = {
  form: string
  problems: FlashProblem[]
  kept: Record<string, string>
  /** The code of a success message. */
  done?: string
  /** True if the form was not carried out, because it needs a new sign-in. */
  needsSignIn?: boolean
  /** The id of the person who sent the form: no other account of the browser sees what they typed. */
  person?: string
}

export type FlashProblem = {
  field?: string
  code: string
  wait?: number
  left?: number
  /** The sentence of a rule, and the line of the field that it is about. */
  text?: string
  line?: number
}

/** Browsers drop a cookie above 4096 bytes, name and attributes included. */
const kind: TokenKind = { purpose: 'seal-flash', seconds: 120, longest: 3900, isDeflated: true }
/** A success message expires sooner than problems, which the person needs while correcting the form. */
const doneSeconds = 20

type Content = Flash & { page: string; doneUntil: number }

/** Redirects to the page that shows the result of a form; no other page shows it. */
export const goAndSay = async (
  site: Site,
  request: Request,
  page: string,
  flash: Flash,
  cookies: (string | undefined)[] = [],
): Promise<Response> => goTo(page, [...(await flashCookies(site, request, flash, page)), ...cookies])

/** Returns the Set-Cookie lines that carry the result of a form to a page in this browser. */
export async function flashCookies(
  site: Site,
  request: Request,
  flash: Flash,
  page: string,
): Promise<(string | undefined)[]> {
  const browser = browserOf(site, request)
  const content: Content = { ...flash, page: markOf(page), doneUntil: site.now().getTime() + doneSeconds * 1000 }
  const sealed = sealToken(site, kind, { browser: browser.hash }, content)
  // Drops the longest typed values until the cookie is small enough: the problems matter more.
  if (sealed.length > kind.longest && Object.keys(flash.kept).length > 0)
    return flashCookies(site, request, { ...flash, kept: withoutLongest(flash.kept) }, page)
  return [setCookie(site, 'flash', sealed, kind.seconds), browser.setCookie]
}

function withoutLongest(kept: Flash['kept']): Flash['kept'] {
  const most = Math.max(...Object.values(kept).map(({ length }) => length))
  return Object.fromEntries(Object.entries(kept).filter(([, { length }]) => length < most))
}

/** Hashes a page's path and query, which may be longer than a cookie. A change of language drops `ui_locales` from the query. */
function markOf(page: string): string {
  const { pathname, searchParams } = new URL(page, 'http://page.invalid')
  searchParams.delete('ui_locales')
  return sha256(`${pathname}?${searchParams}`).slice(0, 16)
}

/** The page that shows the result of a form, and the id of the person who is signed in there. */
type Shown = { page: string; person: string | undefined }

/** Returns the result of a form for this page; without `form`, of any form, and without `shown`, for any page and person. */
export async function readFlash(
  site: Site,
  cookies: string | null,
  form: string | undefined,
  shown?: Shown,
): Promise<Flash | undefined> {
  const sealed = readCookie(cookies, cookieName(site, 'flash'))
  const flash = sealed && openToken<Content>(site, kind, { browser: sentBrowser(site, cookies) }, sealed)
  if (!flash || (form !== undefined && flash.form !== form)) return undefined
  const isPast = flash.done !== undefined && site.now().getTime() >= flash.doneUntil
  return isFor(flash, shown) && !isPast ? flash : undefined
}

const isFor = (flash: Content, shown: Shown | undefined): boolean =>
  shown === undefined ||
  (flash.page === markOf(shown.page) && (flash.person === undefined || flash.person === shown.person))

import type { IncomingMessage } from 'node:http'
import { type Opened, openRequest } from '#lib/flow/interaction'
import { cookieName, sentBrowser } from '#lib/http/cookies'
import type { Site } from '#lib/http/site'
import type { AuthorizationRequest } from '#lib/oauth/authorize/request'

export type RequestOpener = Pick<Site, 'config' | 'secrets' | 'now'>

/** The request of an app on a sign-in page. */
export type ShownRequest = {
  sealed: string
  /** The request as JSON without `unique` and `issuedAt`, and the languages in the URL. Part of the cache key. */
  shown: string
  /** Values that only this request or this browser has. A page that contains one of them is not cached. */
  unique: string[]
}

const page = /^\/signin\?request=([\w.-]+)(&ui_locales=[\w%+-]{1,100})?$/

/**
 * Fields whose values differ in each request, and the pattern of such a value. A shorter value, such as the state "a", occurs
 * in many pages, and HTML escapes other characters. Both would break the search for the value in a page.
 */
const uniqueNames = ['id', 'state', 'nonce', 'challenge', 'dpopJkt']
const uniqueValue = /^[\w.~-]{16,}$/

/** The longest `shown`, in characters. */
const longest = 2000

/** Returns whether a Cookie header holds the id of a browser and nothing else. */
export const hasOnlyId = (site: RequestOpener, cookie: string): boolean =>
  cookie.length === cookieName(site, 'browser').length + 1 + 43 && sentBrowser(site, cookie) !== undefined

/**
 * Reads the request of the sign-in page of an app, for a browser that has only its id. Returns undefined if the request belongs
 * to another browser, has expired or has progressed, or if the app names a person.
 */
export function readShownRequest(
  site: RequestOpener,
  { url = '', headers }: IncomingMessage,
): ShownRequest | undefined {
  const [, sealed, languages = ''] = page.exec(url) ?? []
  const cookie = headers.cookie ?? ''
  const browser = sentBrowser(site, cookie)
  if (!sealed || browser === undefined) return undefined
  const opened = openRequest(site, { browser }, sealed)
  if (!isUntouched(opened) || namesPerson(opened.flow.request)) return undefined
  const unique = [cookie.slice(-43), browser]
  const shared = Object.entries(opened.flow.request).filter(([name, value]) => {
    const isUnique = uniqueNames.includes(name) && uniqueValue.test(String(value))
    if (isUnique) unique.push(String(value))
    return !isUnique && name !== 'issuedAt'
  })
  const shown = JSON.stringify(shared) + languages
  return shown.length > longest ? undefined : { sealed, shown, unique }
}

const isUntouched = (opened: Opened): opened is Opened & { kind: 'open' } =>
  opened.kind === 'open' && opened.isOwn && opened.flow.progress === undefined

const namesPerson = ({ loginHint, hintedSubject, claims, trial }: AuthorizationRequest): boolean =>
  loginHint !== undefined || hintedSubject !== undefined || claims?.values !== undefined || trial !== undefined

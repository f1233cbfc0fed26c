import { sha256 } from '#lib/crypto/hash'
import { type Opened, openRequest } from '#lib/flow/interaction'
import type { Site } from '#lib/http/site'
import type { AuthorizationRequest } from '#lib/oauth/authorize/request'

export type RequestOpener = Pick<Site, 'config' | 'secrets' | 'now'>

/** The request of an app on a sign-in page. */
export type ShownRequest = {
  sealed: string
  /** The request as JSON without `unique` and `issuedAt`. Part of the cache key. */
  shown: string
  /** Values that only this request or this browser has. A page that contains one of them is not cached. */
  unique: string[]
}

const page = /^\/signin\?request=([\w.-]+)(?:&ui_locales=[\w%+-]{1,100})?$/

/**
 * Fields whose values differ in each request, and the pattern of such a value. A shorter value, such as the state "a", occurs
 * in many pages, and HTML escapes other characters. Both would break the search for the value in a page.
 */
const uniqueNames = ['id', 'state', 'nonce', 'challenge', 'dpopJkt']
const uniqueValue = /^[\w.~-]{16,}$/

/** The longest `shown`, in characters. */
const longest = 2000

/**
 * Reads the request of the sign-in page of an app, in the URL of a page. Returns undefined if the request belongs to another
 * browser than the one with this id, has expired or has progressed, or if the app names a person.
 */
export function readShownRequest(site: RequestOpener, url: string, id: string): ShownRequest | undefined {
  const [, sealed] = page.exec(url) ?? []
  if (!sealed) return undefined
  const browser = sha256(id)
  const opened = openRequest(site, { browser }, sealed)
  if (!isUntouched(opened) || namesPerson(opened.flow.request)) return undefined
  const unique = [id, browser]
  const shared = Object.entries(opened.flow.request).filter(([name, value]) => {
    const isUnique = uniqueNames.includes(name) && uniqueValue.test(String(value))
    if (isUnique) unique.push(String(value))
    return !isUnique && name !== 'issuedAt'
  })
  const shown = JSON.stringify(shared)
  return shown.length > longest ? undefined : { sealed, shown, unique }
}

const isUntouched = (opened: Opened): opened is Opened & { kind: 'open' } =>
  opened.kind === 'open' && opened.isOwn && opened.flow.progress === undefined

const namesPerson = ({ loginHint, hintedSubject, claims, trial }: AuthorizationRequest): boolean =>
  loginHint !== undefined || hintedSubject !== undefined || claims?.values !== undefined || trial !== undefined

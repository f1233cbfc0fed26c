import type { IncomingMessage } from 'node:http'
import { type Opened, openRequest } from '#lib/flow/interaction'
import { cookieName, sentBrowser } from '#lib/http/cookies'
import type { Site } from '#lib/http/site'

export type OpensRequests = Pick<Site, 'config' | 'secrets' | 'now'>

/** The request of an app on a sign-in page. */
export type ShownRequest = {
  sealed: string
  /** What the page may show of it: all but `unique`, and when the app asked. */
  shown: string
  /** What belongs to this request alone, and to its browser. A page that contains any of it is for nobody else. */
  unique: string[]
}

const page = /^\/signin\?request=([\w.-]+)(&ui_locales=[\w%+-]{1,100})?$/

/** What differs from request to request. A shorter value, such as the state "a", may be a part of any page by chance. */
const uniqueNames = ['id', 'state', 'nonce', 'challenge', 'dpopJkt']
const shortest = 16

/** The longest `shown`, in characters. */
const longest = 2000

/**
 * Reads the request of the sign-in page, if nothing else makes the page one person's own: its browser has no cookie but its
 * id, the request is this browser's and can be used, and the app names no person. Returns undefined otherwise.
 */
export function readShownRequest(
  site: OpensRequests,
  { url = '', headers }: IncomingMessage,
): ShownRequest | undefined {
  const [, sealed, languages = ''] = page.exec(url) ?? []
  const cookie = headers.cookie ?? ''
  const browser = sentBrowser(site, cookie)
  if (!sealed || browser === undefined || cookie.length !== cookieName(site, 'browser').length + 1 + 43)
    return undefined
  const opened = openRequest(site, { browser }, sealed)
  const { request } = isUntouched(opened) ? opened.flow : {}
  if (!request || request.loginHint !== undefined || request.hintedSubject !== undefined || request.trial)
    return undefined
  const unique = [cookie.slice(-43), browser]
  const shared = Object.entries(request).filter(([name, value]) => {
    const isUnique = uniqueNames.includes(name) && String(value).length >= shortest
    if (isUnique) unique.push(String(value))
    return !isUnique && name !== 'issuedAt'
  })
  const shown = JSON.stringify(shared) + languages
  return shown.length > longest ? undefined : { sealed, shown, unique }
}

const isUntouched = (opened: Opened): opened is Opened & { kind: 'open' } =>
  opened.kind === 'open' && opened.isOwn && opened.flow.progress === undefined

import type { IncomingMessage, ServerResponse } from 'node:http'
import { random } from '#lib/crypto/random'
import { cookieName } from '#lib/http/cookies'
import { localHeader, placeholdersHeader } from '#lib/http/headers'
import { within } from '#lib/server/front-door/kept-answers'
import { acceptsHtml } from '#lib/server/front-door/refuse'
import { fillPlaceholders, makePlaceholders, shapesOf } from '#lib/sign-in/remembered/placeholders'
import {
  type RememberedAccount,
  type RememberingSite,
  rememberedAccounts,
} from '#lib/sign-in/remembered/remembered-accounts'
import { readStranger, type StrangerSite } from './read-stranger.ts'
import { readShownRequest, type ShownRequest } from './shown-request.ts'

/** A rendered page. Only the nonce of its scripts, the sealed request of an app, and the accounts differ between browsers. */
type KeptPage = {
  html: string
  headers: [string, string][]
  nonce: string
  sealed: string | undefined
  isFresh(): boolean
  isUsable(): boolean
}

/**
 * The cache key of a page, the app's request if it is the sign-in page of an app, the address and the Cookie header with which
 * the page is rendered, the accounts that the browser remembers, and the placeholders for them.
 */
export type PageForStrangers = {
  key: string
  request: ShownRequest | undefined
  url: string
  cookies: string
  accounts: RememberedAccount[]
  placeholders: RememberedAccount[]
}

/** The pages that are equal for all strangers, but for theme, language and remembered accounts. */
const urls = [
  '/',
  '/signin',
  ...['/account', '/console'].flatMap((path) => [`/signin?to=${path}`, `/signin?to=${encodeURIComponent(path)}`]),
]

/** The address of the sign-in page with a chosen face: what comes before the choice, and the mark of the account. */
const chosenFace = /^(\/signin\?(?:.+&)?)who=([\w-]{12})$/

/** The request headers that Next receives for a kept page, besides its cookies and the placeholders. */
const read = ['host', 'accept-language', 'accept', localHeader, 'x-request-id']

/** Milliseconds after which one request renders a page again, and after which every request does. */
const [keptFor, usableFor] = [1_000, 2_000]

const mostPages = 64
const longestLanguages = 200

/** The parts of the context that find and fill kept pages. */
export type KeepingSite = StrangerSite & RememberingSite

/**
 * Caches the home page and the sign-in pages for a second, because React renders only a few hundred pages a second. What
 * Next receives is in the cache key, but for the ids of the browser and of the HTTP request, so that one client cannot inject
 * content into the page of another. Instead of remembered accounts, Next receives placeholders
 * (docs/decisions/0071-pages-for-strangers-are-kept.md, 0080-kept-pages-with-remembered-accounts.md).
 */
export function makeKeptPages(site: KeepingSite) {
  // Requests of many apps must not push out the pages of the account.
  const [ofAccount, ofApps] = [new Map<string, KeptPage>(), new Map<string, KeptPage>()]
  const storeOf = ({ request }: PageForStrangers) => (request ? ofApps : ofAccount)
  return {
    pageFor: (incoming: IncomingMessage) => findPageForStrangers(site, incoming),
    find(wanted: PageForStrangers): KeptPage | undefined {
      const page = storeOf(wanted).get(wanted.key)
      if (!page?.isUsable()) return undefined
      if (page.isFresh()) return page
      // This request renders the page again, and those beside it get the old one.
      page.isFresh = page.isUsable
      return undefined
    },
    /** Caches a rendered page, unless it contains a value of this request. */
    keep(wanted: PageForStrangers, html: string, outgoing: ServerResponse) {
      const { 'x-request-id': requestId, ...sent } = outgoing.getHeaders()
      const headers = Object.entries(sent).map(([name, value]): [string, string] => [name, String(value)])
      const [, nonce] = /'nonce-([\w-]{22})'/.exec(String(sent['content-security-policy'])) ?? []
      const values = [String(requestId), ...valuesOf(wanted)]
      const texts = [withoutSealed(html, wanted), ...headers.map(([, value]) => value)]
      const isOwn = texts.some((text) => values.some((value) => text.includes(value)))
      if (outgoing.statusCode !== 200 || !nonce || sent['set-cookie'] || isOwn) return
      const store = storeOf(wanted)
      for (const [key, page] of store) if (!page.isUsable()) store.delete(key)
      store.delete(wanted.key)
      if (store.size >= mostPages) store.delete(store.keys().next().value as string)
      const sealed = wanted.request?.sealed
      store.set(wanted.key, { html, nonce, sealed, headers, isFresh: within(keptFor), isUsable: within(usableFor) })
    },
  }
}

/** Returns undefined if the page must not come from the cache. */
async function findPageForStrangers(
  site: KeepingSite,
  incoming: IncomingMessage,
): Promise<PageForStrangers | undefined> {
  const { method, url: asked = '', headers } = incoming
  const { 'accept-language': languages = '' } = headers
  if (method !== 'GET' || languages.length > longestLanguages) return undefined
  const [, before = '', who] = chosenFace.exec(asked) ?? []
  const url = before.slice(0, -1) || asked
  if (!urls.includes(url) && !url.startsWith('/signin?request=')) return undefined
  const stranger = readStranger(site, headers.cookie)
  if (!stranger) return undefined
  const { id, look } = stranger
  const request = id === undefined ? undefined : readShownRequest(site, url, id)
  if (!request && !urls.includes(url)) return undefined
  const asksForAccounts = stranger.remembers && url !== '/'
  const accounts = asksForAccounts ? await rememberedAccounts(site, headers.cookie ?? '') : []
  const chosen = accounts.findIndex(({ mark }) => mark === who)
  if (who !== undefined && chosen < 0) return undefined
  const placeholders = makePlaceholders(shapesOf(accounts))
  const renderedUrl = who === undefined ? asked : `${before}who=${placeholders[chosen]?.mark}`
  const address = request ? renderedUrl.replace(request.sealed, '') : renderedUrl
  const seen = [languages, look, acceptsHtml({ headers }), headers[localHeader]]
  const key = JSON.stringify([address, request?.shown, shapesOf(accounts), ...seen])
  // The page of an app is rendered for the browser to which the request belongs.
  const idCookie = request ? `${cookieName(site, 'browser')}=${id}` : ''
  const cookies = [idCookie, look].filter(Boolean).join('; ')
  return { key, request, url: renderedUrl, cookies, accounts, placeholders }
}

/** Values that a kept page must not contain. The end of the sealed request finds a copy in another encoding. */
const valuesOf = ({ request }: PageForStrangers): string[] =>
  request ? [...request.unique, request.sealed.slice(-24)] : []

const withoutSealed = (html: string, { request }: PageForStrangers): string =>
  request ? html.replaceAll(request.sealed, '') : html

/** Leaves Next what a kept page may depend on. An error page still depends on whether the client accepts HTML. */
export function hideVisitor(incoming: IncomingMessage, { url, cookies, placeholders }: PageForStrangers) {
  const { headers } = incoming
  headers.accept = acceptsHtml({ headers }) ? 'text/html' : '*/*'
  for (const name in headers) if (!read.includes(name)) delete headers[name]
  if (cookies) headers.cookie = cookies
  if (placeholders.length > 0) headers[placeholdersHeader] = JSON.stringify(placeholders)
  incoming.url = url
}

/** Sends a kept page with a nonce, a request and accounts of its own. */
export function sendKeptPage(page: KeptPage, { request, accounts }: PageForStrangers, outgoing: ServerResponse) {
  const nonce = random(16).toString('base64url')
  const own = (text: string) => text.replaceAll(page.nonce, nonce)
  const withRequest = page.sealed && request ? page.html.replaceAll(page.sealed, request.sealed) : page.html
  // The accounts come last, because a name may contain a nonce or a sealed request.
  const body = Buffer.from(fillPlaceholders(own(withRequest), accounts))
  for (const [name, value] of page.headers) outgoing.setHeader(name, own(value))
  outgoing.setHeader('content-length', body.length)
  outgoing.end(body)
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { random } from '#lib/crypto/random'
import { localHeader } from '#lib/http/headers'
import { within } from '#lib/server/front-door/kept-answers'
import { acceptsHtml } from '#lib/server/front-door/refuse'
import { type RequestOpener, readShownRequest, type ShownRequest } from './shown-request.ts'

/** A page as every stranger gets it, but for the nonce of its scripts and the sealed request of an app. */
type KeptPage = {
  html: string
  headers: [string, string][]
  nonce: string
  sealed: string | undefined
  isFresh(): boolean
  isUsable(): boolean
}

/** A page that may be kept: its key in the store, and the request on it, if it is the sign-in page of an app. */
export type PageForStrangers = { key: string; request: ShownRequest | undefined }

/** The pages that show nothing of a person, a request or a form to a browser without a cookie. */
const urls = [
  '/',
  '/signin',
  ...['/account', '/console'].flatMap((path) => [`/signin?to=${path}`, `/signin?to=${encodeURIComponent(path)}`]),
]

/** The headers of a request that these pages depend on; Host is that of the account. A request of an app needs its cookie. */
const read = ['host', 'accept-language', 'accept', localHeader, 'x-request-id']

/** Milliseconds after which one request renders a page again, and after which every request does. */
const [keptFor, usableFor] = [1_000, 2_000]

const mostPages = 64
const longestLanguages = 200

/**
 * Keeps the pages that lead strangers to an app or to their account, for a second each, because React renders a few hundred
 * a second. A page is rendered without any header that is not in its key, so that one client cannot plant anything in the
 * page of another (docs/decisions/0071-pages-for-strangers-are-kept.md).
 */
export function makeKeptPages(site: RequestOpener) {
  // Requests of many apps must not push out the pages of the account.
  const [ofAccount, ofApps] = [new Map<string, KeptPage>(), new Map<string, KeptPage>()]
  const storeOf = ({ request }: PageForStrangers) => (request ? ofApps : ofAccount)
  return {
    /** Returns undefined if the page has to be rendered for this client. */
    pageFor(incoming: IncomingMessage): PageForStrangers | undefined {
      const { method, url = '', headers } = incoming
      const { cookie, 'accept-language': languages = '' } = headers
      if (method !== 'GET' || languages.length > longestLanguages) return undefined
      const request = cookie ? readShownRequest(site, incoming) : undefined
      if (!request && (cookie || !urls.includes(url))) return undefined
      const shown = request?.shown ?? url
      return { key: JSON.stringify([shown, languages, acceptsHtml({ headers }), headers[localHeader]]), request }
    },
    find(wanted: PageForStrangers): KeptPage | undefined {
      const page = storeOf(wanted).get(wanted.key)
      if (!page?.isUsable()) return undefined
      if (page.isFresh()) return page
      // This request renders the page again, and those beside it get the old one.
      page.isFresh = page.isUsable
      return undefined
    },
    /** Keeps a page that Next has rendered, unless it contains a value of this request. */
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

/** Values that no kept page contains: those of the request, and the end of its sealed text, if a part of it has another spelling. */
const valuesOf = ({ request }: PageForStrangers): string[] =>
  request ? [...request.unique, request.sealed.slice(-24)] : []

const withoutSealed = (html: string, { request }: PageForStrangers): string =>
  request ? html.replaceAll(request.sealed, '') : html

/** Removes the headers that are not in `read`. An error page still depends on whether the client accepts HTML. */
export function dropUnreadHeaders({ headers }: IncomingMessage, { request }: PageForStrangers) {
  headers.accept = acceptsHtml({ headers }) ? 'text/html' : '*/*'
  for (const name in headers) if (!read.includes(name) && !(request && name === 'cookie')) delete headers[name]
}

/** Sends a kept page with a nonce and a request of its own. */
export function sendKeptPage(page: KeptPage, { request }: PageForStrangers, outgoing: ServerResponse) {
  const nonce = random(16).toString('base64url')
  const own = (text: string) => text.replaceAll(page.nonce, nonce)
  const html = page.sealed && request ? page.html.replaceAll(page.sealed, request.sealed) : page.html
  const body = Buffer.from(own(html))
  for (const [name, value] of page.headers) outgoing.setHeader(name, own(value))
  outgoing.setHeader('content-length', body.length)
  outgoing.end(body)
}

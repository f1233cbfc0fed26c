import type { IncomingMessage, ServerResponse } from 'node:http'
import { random } from '#lib/crypto/random'
import { localHeader } from '#lib/http/headers'
import { within } from '#lib/server/front-door/kept-answers'
import { acceptsHtml } from '#lib/server/front-door/refuse'
import { type OpensRequests, readShownRequest, type ShownRequest } from './shown-request.ts'

/** A page as every stranger gets it, but for the nonce of its scripts and the sealed request of an app. */
type KeptPage = {
  html: string
  headers: [string, string][]
  nonce: string
  sealed: string | undefined
  isFresh(): boolean
  isUsable(): boolean
}

/** A page that may be kept: its name in the store, and the request on it, if it is the sign-in page of an app. */
export type PageForStrangers = { name: string; request: ShownRequest | undefined }

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
 * a second. A kept page is rendered from its name alone, so that nothing else of one client can change what another one
 * sees (docs/decisions/0071-pages-for-strangers-are-kept.md).
 */
export function makeKeptPages(site: OpensRequests) {
  const kept = new Map<string, KeptPage>()
  return {
    /** Returns undefined if the page has to be rendered for this client. */
    pageFor(incoming: IncomingMessage): PageForStrangers | undefined {
      const { method, url = '', headers } = incoming
      const { cookie, 'accept-language': languages = '' } = headers
      if (method !== 'GET' || languages.length > longestLanguages) return undefined
      const request = cookie ? readShownRequest(site, incoming) : undefined
      const address = request ? `/signin ${request.shown}` : url
      if (!request && (cookie || !urls.includes(url))) return undefined
      return { name: `${headers[localHeader] ?? ''} ${acceptsHtml({ headers })} ${address} ${languages}`, request }
    },
    find({ name }: PageForStrangers): KeptPage | undefined {
      const page = kept.get(name)
      if (!page?.isUsable()) return undefined
      if (page.isFresh()) return page
      // This request renders the page again, and those beside it get the old one.
      page.isFresh = page.isUsable
      return undefined
    },
    /** Keeps a page that Next has rendered, unless it is about this request. */
    keep({ name, request }: PageForStrangers, html: string, outgoing: ServerResponse) {
      const { 'x-request-id': requestId, ...headers } = outgoing.getHeaders()
      const [, nonce] = /'nonce-([\w-]{22})'/.exec(String(headers['content-security-policy'])) ?? []
      const isOwn = [String(requestId), ...namesIn(request)].some((one) => withoutSealed(html, request).includes(one))
      if (outgoing.statusCode !== 200 || !nonce || headers['set-cookie'] || isOwn) return
      kept.delete(name)
      if (kept.size >= mostPages) kept.delete(kept.keys().next().value as string)
      kept.set(name, {
        html,
        nonce,
        sealed: request?.sealed,
        headers: Object.entries(headers).map(([header, value]) => [header, String(value)]),
        isFresh: within(keptFor),
        isUsable: within(usableFor),
      })
    },
  }
}

/** What a page for others must not contain: the end of the sealed request, in another spelling than `sendKeptPage` finds. */
const namesIn = (request: ShownRequest | undefined): string[] =>
  request ? [...request.unique, request.sealed.slice(-24)] : []

const withoutSealed = (html: string, request: ShownRequest | undefined): string =>
  request ? html.replaceAll(request.sealed, '') : html

/** Removes what a kept page must not depend on. An error page still depends on whether the client accepts HTML. */
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

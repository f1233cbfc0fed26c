import type { IncomingMessage, ServerResponse } from 'node:http'
import { random } from '#lib/crypto/random'
import { localHeader } from '#lib/http/headers'
import { within } from '#lib/server/front-door/kept-answers'
import { acceptsHtml } from '#lib/server/front-door/refuse'

/** A page as every browser without a cookie gets it, but for the nonce of its scripts. */
type KeptPage = { html: string; headers: [string, string][]; nonce: string; isFresh(): boolean; isUsable(): boolean }

/** The pages that show nothing of a person, a request or a form to a browser without a cookie. */
const urls = [
  '/',
  '/signin',
  ...['/account', '/console'].flatMap((path) => [`/signin?to=${path}`, `/signin?to=${encodeURIComponent(path)}`]),
]

/** The headers of a request that these pages depend on; Host is that of the account. */
const read = ['host', 'accept-language', 'accept', localHeader, 'x-request-id']

/** Milliseconds after which one request renders a page again, and after which every request does. */
const [keptFor, usableFor] = [1_000, 2_000]

const mostPages = 64
const longestLanguages = 200

/**
 * Keeps the pages that lead strangers to their account, for a second each, because React renders a few hundred a second.
 * A kept page is rendered from an address of the list and the languages of its browser alone, so that no other header of one
 * client can change what another one sees (docs/decisions/0071-pages-for-strangers-are-kept.md).
 */
export function makeKeptPages() {
  const kept = new Map<string, KeptPage>()
  return {
    /** Returns the name of the page in the store; undefined if it has to be rendered for this client. */
    keyOf({ method, url = '', headers }: IncomingMessage): string | undefined {
      const { cookie, 'accept-language': languages = '' } = headers
      const isForAnyone = method === 'GET' && !cookie && urls.includes(url)
      if (!isForAnyone || languages.length > longestLanguages) return undefined
      return `${url} ${headers[localHeader] ?? ''} ${acceptsHtml({ headers })} ${languages}`
    },
    find(key: string): KeptPage | undefined {
      const page = kept.get(key)
      if (!page?.isUsable()) return undefined
      if (page.isFresh()) return page
      // This request renders the page again, and those beside it get the old one.
      page.isFresh = page.isUsable
      return undefined
    },
    /** Keeps a page that Next has rendered, unless it is about this request. */
    keep(key: string, html: string, outgoing: ServerResponse) {
      const { 'x-request-id': requestId, ...headers } = outgoing.getHeaders()
      const [, nonce] = /'nonce-([\w-]{22})'/.exec(String(headers['content-security-policy'])) ?? []
      if (outgoing.statusCode !== 200 || !nonce || headers['set-cookie'] || html.includes(String(requestId))) return
      kept.delete(key)
      if (kept.size >= mostPages) kept.delete(kept.keys().next().value as string)
      kept.set(key, {
        html,
        nonce,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
        isFresh: within(keptFor),
        isUsable: within(usableFor),
      })
    },
  }
}

/** Removes what a kept page must not depend on. An error page still depends on whether the client accepts HTML. */
export function dropUnreadHeaders({ headers }: IncomingMessage) {
  headers.accept = acceptsHtml({ headers }) ? 'text/html' : '*/*'
  for (const name in headers) if (!read.includes(name)) delete headers[name]
}

/** Sends a kept page with a nonce of its own. */
export function sendKeptPage({ html, headers, nonce: old }: KeptPage, outgoing: ServerResponse) {
  const nonce = random(16).toString('base64url')
  const page = Buffer.from(html.replaceAll(old, nonce))
  for (const [name, value] of headers) outgoing.setHeader(name, value.replaceAll(old, nonce))
  outgoing.setHeader('content-length', page.length)
  outgoing.end(page)
}

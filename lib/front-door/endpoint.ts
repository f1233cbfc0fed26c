import type { IncomingMessage, ServerResponse } from 'node:http'
import { knownTextOf } from '#lib/text-response'
import { readBody } from './body.ts'
import { Refusal } from './refusal.ts'

/** What a `route.ts` exports: web-standard handlers by method. */
export type RouteModule = Partial<Record<Method, (request: Request) => Response | Promise<Response>>> & {
  /** The most bytes a body of this route may have, where an ordinary form is not enough. */
  bodyLimit?: number
}
type Method = 'GET' | 'HEAD' | 'POST' | 'OPTIONS'

const formLimit = 64 * 1024

/** Calls a protocol route handler directly, without Next's router (design §1). */
export async function answerEndpoint(
  route: RouteModule,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  site: { origin: string; headers: Record<string, string> },
) {
  const method = incoming.method as Method
  const handler = route[method] ?? (method === 'HEAD' ? route.GET : undefined)
  if (!handler) throw new Refusal(405, 'This method is not served here.', { allow: allowed(route) })
  const body = method === 'POST' ? await readBodyFor(route, incoming) : undefined
  const init: RequestInit = { method, headers: headersOf(incoming) }
  if (body) init.body = body as Uint8Array<ArrayBuffer>
  const response = await handler(new Request(site.origin + incoming.url, init))
  const content = knownTextOf(response) ?? (await contentOf(response))
  outgoing.statusCode = response.status
  for (const name in site.headers) outgoing.setHeader(name, site.headers[name] as string)
  for (const [name, value] of response.headers) {
    // Cookies come one by one; anything else replaces what the site says in general.
    if (name === 'set-cookie') outgoing.appendHeader(name, value)
    else outgoing.setHeader(name, value)
  }
  if (response.status !== 204) outgoing.setHeader('content-length', Buffer.byteLength(content))
  outgoing.end(method === 'HEAD' ? undefined : content)
}

const readBodyFor = ({ bodyLimit }: RouteModule, incoming: IncomingMessage) =>
  bodyLimit === undefined ? readBody(incoming, formLimit) : readBody(incoming, bodyLimit, 3 * bodyLimit)

/** Text leaves in one piece with its headers; Node would send bytes apart from them. */
async function contentOf(response: Response): Promise<string | Buffer> {
  if (response.body === null) return ''
  const type = response.headers.get('content-type') ?? ''
  return type.startsWith('image/') ? Buffer.from(await response.arrayBuffer()) : response.text()
}

/** The methods a route serves, for Allow (RFC 9110 §15.5.6). */
export function allowed(route: RouteModule): string {
  const methods = Object.keys(route).filter((name) => /^[A-Z]+$/.test(name))
  return (methods.includes('GET') ? ['HEAD', ...methods] : methods).sort().join(', ')
}

function headersOf(incoming: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name in incoming.headers) headers[name] = String(incoming.headers[name])
  return headers
}

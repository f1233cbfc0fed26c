import type { IncomingMessage, ServerResponse } from 'node:http'
import { formLimit } from '#lib/http/form'
import { knownTextOf } from '#lib/http/headers'
import { readBody, streamBody } from './body.ts'
import { Refusal } from './refuse.ts'

/** The exports of a `route.ts`: web-standard handlers by method. */
export type RouteModule = Partial<Record<Method, Handler>> & {
  /** The largest body in bytes, if a form may exceed the ordinary limit; the handler reads the body as a stream. */
  bodyLimit?: number
}
type Handler = (request: Request) => Response | Promise<Response>
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

const withBody = ['POST', 'PUT', 'PATCH']

/** Calls a route handler directly, without Next's router (design §1). */
export async function answerEndpoint(
  route: RouteModule,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  site: { origin: string; headers: Record<string, string> },
) {
  const method = incoming.method as Method
  const handler = route[method] ?? (method === 'HEAD' ? route.GET : undefined)
  if (!handler) throw new Refusal(405, 'This method is not served here.', { allow: allowed(route) })
  const response = await callHandler(route, handler, incoming, site.origin)
  const content = knownTextOf(response) ?? (await contentOf(response))
  outgoing.statusCode = response.status
  for (const name in site.headers) outgoing.setHeader(name, site.headers[name] as string)
  for (const [name, value] of response.headers) {
    // Each cookie is a separate header; any other header replaces the default one.
    if (name === 'set-cookie') outgoing.appendHeader(name, value)
    else outgoing.setHeader(name, value)
  }
  if (response.status !== 204) outgoing.setHeader('content-length', Buffer.byteLength(content))
  outgoing.end(method === 'HEAD' ? undefined : content)
}

async function callHandler({ bodyLimit }: RouteModule, handler: Handler, incoming: IncomingMessage, origin: string) {
  const init = { method: incoming.method as string, headers: headersOf(incoming) }
  const address = origin + incoming.url
  if (!withBody.includes(incoming.method ?? '')) return handler(new Request(address, init))
  if (bodyLimit === undefined) {
    const body = (await readBody(incoming, formLimit)) as Uint8Array<ArrayBuffer>
    return handler(new Request(address, { ...init, body }))
  }
  const { body, dropRest } = streamBody(incoming, bodyLimit, 3 * bodyLimit)
  try {
    return await handler(new Request(address, { ...init, body, duplex: 'half' } as RequestInit))
  } finally {
    await dropRest()
  }
}

/** Returns text where possible: Node sends text together with the headers, but bytes in a separate write. */
async function contentOf(response: Response): Promise<string | Buffer> {
  if (response.body === null) return ''
  const type = response.headers.get('content-type') ?? ''
  return type.startsWith('image/') ? Buffer.from(await response.arrayBuffer()) : response.text()
}

/** Returns the methods of a route, for Allow (RFC 9110 §15.5.6). */
export function allowed(route: RouteModule): string {
  const methods = Object.keys(route).filter((name) => /^[A-Z]+$/.test(name))
  return (methods.includes('GET') ? ['HEAD', ...methods] : methods).sort().join(', ')
}

function headersOf(incoming: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name in incoming.headers) headers[name] = String(incoming.headers[name])
  return headers
}

import type { IncomingMessage } from 'node:http'
import { formLimit } from '#lib/http/form'
import { fieldsOf, LeanResponse, leanRequest } from '#lib/http/lean'
import { endOfTurn } from '#lib/queue/end-of-turn'
import { readBody, streamBody } from './body.ts'
import { fieldList, type KeptAnswers, sendKept } from './kept-answers.ts'
import { Refusal } from './refuse.ts'
import type { Handler, Method, RouteModule } from './route-table.ts'
import { sendAnswer } from './send-answer.ts'
import type { Asked } from './visit.ts'

const withBody = ['POST', 'PUT', 'PATCH']

/** Calls a route handler directly, without Next's router (design §1). */
export async function answerEndpoint(
  route: RouteModule,
  asked: Asked,
  site: { origin: string; headers: Record<string, string> },
  kept?: KeptAnswers,
) {
  const response = await callRoute(route, asked.incoming, site.origin)
  if (response instanceof LeanResponse && response.headers.fields) {
    const answer = kept?.keep(asked.incoming, response)
    await endOfTurn()
    return answer ? sendKept(answer, asked) : sendLean(asked, response, site.headers)
  }
  const { incoming, outgoing, requestId } = asked
  const content = await contentOf(response)
  outgoing.statusCode = response.status
  outgoing.setHeader('x-request-id', requestId)
  for (const name in site.headers) outgoing.setHeader(name, site.headers[name] as string)
  for (const [name, value] of response.headers) {
    // Each cookie is a separate header; any other header replaces the default one.
    if (name === 'set-cookie') outgoing.appendHeader(name, value)
    else outgoing.setHeader(name, value)
  }
  if (hasLength(response.status)) outgoing.setHeader('content-length', Buffer.byteLength(content))
  outgoing.end(incoming.method === 'HEAD' ? undefined : content)
}

/** Calls the handler of a route for the method of the request. */
function callRoute(route: RouteModule, incoming: IncomingMessage, origin: string): Promise<Response> {
  const method = incoming.method as Method
  const handler = route[method] ?? (method === 'HEAD' ? route.GET : undefined)
  if (!handler) throw new Refusal(405, 'This method is not served here.', { allow: allowed(route) })
  return callHandler(route, handler, incoming, origin)
}

function sendLean(asked: Asked, answer: LeanResponse, common: Record<string, string>) {
  const { status, content } = answer
  const fields = fieldList(answer, common)
  if (hasLength(status))
    return sendAnswer(asked, { status, fields, content, length: String(Buffer.byteLength(content)) })
  asked.outgoing.writeHead(status, [...fields, 'x-request-id', asked.requestId])
  asked.outgoing.end()
}

/** Content-Length is forbidden with 204, and with 304 it would be that of the answer 200 (RFC 9110 §8.6). */
const hasLength = (status: number) => status !== 204 && status !== 304

async function callHandler({ bodyLimit }: RouteModule, handler: Handler, incoming: IncomingMessage, origin: string) {
  const { method = '', url: target = '', headers } = incoming
  const hasBody = withBody.includes(method)
  if (!hasBody || bodyLimit === undefined) {
    const body = hasBody ? await readBody(incoming, formLimit) : undefined
    await endOfTurn()
    return handler(leanRequest({ method, origin, target, headers, body }))
  }
  const { body, dropRest } = streamBody(incoming, bodyLimit, 3 * bodyLimit)
  try {
    const init = { method, headers: fieldsOf(headers), body, duplex: 'half' }
    return await handler(new Request(origin + target, init as RequestInit))
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

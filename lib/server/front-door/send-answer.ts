import type { ServerResponse } from 'node:http'
import type { Asked } from './visit.ts'

type Answer = { status: number; fields: string[]; content: string; length: string }

/** A head that Node has built for these fields: what comes before and after the length and the id of one answer. */
type Head = { fields: string[]; before: string; after: string }

/** The heads of this second. */
let heads: Head[] = []
let second = 0
const mostHeads = 16

/**
 * Sends the status line, the headers and the text of an answer in one write. Node checks and joins the headers of every
 * answer, which takes a fifth of the time of a kept answer. So the head that Node has built for an answer 200 with the same
 * fields is used again, with the length and the request id of this answer, until the second of its Date has passed.
 */
export function sendAnswer({ incoming, outgoing, requestId }: Asked, { status, fields, content, length }: Answer) {
  const message: Message = outgoing
  const isUsual = status === 200 && hasUsualHead(outgoing)
  const head = isUsual ? findHead(fields) : undefined
  const own = `content-length: ${length}\r\nx-request-id: ${requestId}\r\n`
  if (head) message._header = head.before + own + head.after
  else {
    outgoing.writeHead(status, [...fields, 'content-length', length, 'x-request-id', requestId])
    if (isUsual) keepHead(fields, message._header, own)
  }
  outgoing.end(incoming.method === 'HEAD' ? undefined : content)
}

/**
 * Node keeps the finished head of a message in this field until `end` sends it. The field is not documented: under a Node
 * without it, no head is kept, and every answer is sent as before.
 */
type Message = ServerResponse & { _header?: unknown }

/** Returns whether the head depends on nothing but the answer: no header is set yet, and the connection stays open. */
const hasUsualHead = (outgoing: ServerResponse) =>
  !outgoing.headersSent && outgoing.shouldKeepAlive && outgoing.getHeaderNames().length === 0

function findHead(fields: string[]): Head | undefined {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) heads = []
  second = now
  return heads.find((head) => isSame(head.fields, fields))
}

/** A client chooses the id of an interaction; a cookie is a secret. */
const ofOneClient = ['x-fapi-interaction-id', 'set-cookie']

/** Compares one after the other, because nearly all of them are the same objects. */
function isSame(some: string[], others: string[]): boolean {
  if (some === others) return true
  if (some.length !== others.length) return false
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false
  return true
}

function keepHead(fields: string[], head: unknown, own: string) {
  const [before, after] = typeof head === 'string' ? head.split(own) : []
  // Under load, Node's own text of the time can be that of the second before.
  const usual = `Date: ${new Date(second * 1000).toUTCString()}\r\nConnection: keep-alive\r\n`
  if (before === undefined || !after?.includes(usual) || fields.some((field) => ofOneClient.includes(field))) return
  // Answers whose fields differ in each request fill the list; frequent ones are soon in it again.
  if (heads.length === mostHeads) heads = []
  heads.push({ fields, before, after })
}

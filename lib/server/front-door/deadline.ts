import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Milliseconds from the last byte of a request to its answer. A proxy in front waits for twelve seconds (deploy/),
 * so that the answer is Postern's, with Retry-After, unless the process stands still: in a crowd, a request is read late.
 */
export const usualPatience = { answer: 9_500 }
/** Longer in development, because Next compiles a page on its first request. */
export const patienceInDevelopment = { answer: 120_000 }

/**
 * Calls `refuse` when a request has no answer `answer` milliseconds after its last byte. If an answer has started,
 * ends the connection once everything written so far has been sent and the handler writes no more.
 */
export function startDeadline(
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  refuse: () => void,
  { answer }: typeof usualPatience,
) {
  let timer: NodeJS.Timeout
  const arm = (delay: number) => {
    clearTimeout(timer)
    timer = setTimeout(check, delay)
  }
  const check = () => {
    if (outgoing.writableEnded) return
    if (waitsForClient(incoming)) return awaitBody()
    if (!outgoing.headersSent) return refuse()
    // Sent bytes wait for a slow reader; the handler has not stalled.
    if (outgoing.writableLength > 0) return arm(answer)
    outgoing.destroy()
  }
  /** Polls for the last byte, because `end` comes late, or never, if the handler does not read the body. */
  const awaitBody = () => {
    const step = answer / 20
    if (waitsForClient(incoming)) timer = setTimeout(awaitBody, step)
    else arm(answer - step)
  }
  outgoing.on('close', () => clearTimeout(timer))
  if (hasBody(incoming)) awaitBody()
  else arm(answer)
}

/**
 * Returns whether the request waits for the client: the body is incomplete, and its buffer has room for more.
 * listen.ts limits this time.
 */
const waitsForClient = (incoming: IncomingMessage) =>
  hasBody(incoming) && !incoming.complete && incoming.readableLength < incoming.readableHighWaterMark

/** Returns whether a request has a body that a handler reads: a form, or a body of the API. */
const hasBody = ({ method = '', headers }: IncomingMessage) =>
  ['POST', 'PUT', 'PATCH'].includes(method) &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** Discards everything that a late handler writes, because the answer was already sent. */
export function closeToHandler(outgoing: ServerResponse) {
  const nothing = { write: () => true, end: () => outgoing, flushHeaders: () => undefined }
  const same = () => outgoing
  Object.assign(outgoing, nothing, { setHeader: same, appendHeader: same, removeHeader: same, writeHead: same })
}

/** Removes the overrides and headers that a handler has set on the response. */
export function openAgain(outgoing: ServerResponse) {
  for (const name of ['write', 'end', 'flushHeaders'] as const) Reflect.deleteProperty(outgoing, name)
  const ours = ['x-request-id', 'connection']
  for (const name of outgoing.getHeaderNames()) if (!ours.includes(name)) outgoing.removeHeader(name)
}

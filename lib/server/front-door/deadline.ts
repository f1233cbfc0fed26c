import type { IncomingMessage, ServerResponse } from 'node:http'

/** Milliseconds from the last byte of a request to its answer. */
export const usualPatience = { answer: 10_000 }
/** Next compiles a page on its first request. */
export const patienceInDevelopment = { answer: 120_000 }

/**
 * Calls `refuse` when a request has no answer ten seconds after its last byte. A started answer that has stalled, although the
 * client has read all of it, ends its connection.
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
    // The client is a slow reader; the handler has not stalled.
    if (outgoing.writableLength > 0) return arm(answer)
    outgoing.destroy()
  }
  /** Polls for the last byte: `end` comes late, or never, if the handler does not read the body. */
  const awaitBody = () => {
    const step = answer / 20
    if (waitsForClient(incoming)) timer = setTimeout(awaitBody, step)
    else arm(answer - step)
  }
  outgoing.once('close', () => clearTimeout(timer))
  if (isForm(incoming)) awaitBody()
  else arm(answer)
}

/**
 * Returns whether the server waits for the client: the form is incomplete, and its handler has read enough to accept more. The
 * time for that is limited in listen.ts.
 */
const waitsForClient = (incoming: IncomingMessage) =>
  isForm(incoming) && !incoming.complete && incoming.readableLength < incoming.readableHighWaterMark

/** Only forms have a body that a handler reads. */
const isForm = ({ method, headers }: IncomingMessage) =>
  method === 'POST' && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** Discards everything that a late handler writes; the answer has been sent. */
export function closeToHandler(outgoing: ServerResponse) {
  const nothing = { write: () => true, end: () => outgoing, flushHeaders: () => undefined }
  const same = () => outgoing
  Object.assign(outgoing, nothing, { setHeader: same, appendHeader: same, removeHeader: same, writeHead: same })
}

/** Removes the overrides and headers that a handler has put on the response. */
export function openAgain(outgoing: ServerResponse) {
  for (const name of ['write', 'end', 'flushHeaders'] as const) Reflect.deleteProperty(outgoing, name)
  const ours = ['x-request-id', 'connection']
  for (const name of outgoing.getHeaderNames()) if (!ours.includes(name)) outgoing.removeHeader(name)
}

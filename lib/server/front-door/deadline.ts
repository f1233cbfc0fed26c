import type { IncomingMessage, ServerResponse } from 'node:http'

/** Milliseconds from the last byte of a request to its answer. */
export const usualPatience = { answer: 10_000 }
/** Next compiles a page when it is first asked for. */
export const patienceInDevelopment = { answer: 120_000 }

/**
 * Calls `refuse` when a request has no answer ten seconds after its last byte. An answer that has begun and of which
 * nothing waits for the client has stalled: its connection ends.
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
    // A slow reader of a long answer is no fault of ours.
    if (outgoing.writableLength > 0) return arm(answer)
    outgoing.destroy()
  }
  /** Looks for the last byte itself: `end` comes late, or never, when a handler does not read the body. */
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
 * Whether the next step is the client's: the form is not complete, and its handler has read enough to take more of it. For
 * that, listen.ts has a limit.
 */
const waitsForClient = (incoming: IncomingMessage) =>
  isForm(incoming) && !incoming.complete && incoming.readableLength < incoming.readableHighWaterMark

/** Nothing waits for the body of any other request. */
const isForm = ({ method, headers }: IncomingMessage) =>
  method === 'POST' && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** From now on a handler that comes too late writes into nothing; `outgoing` has its answer. */
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

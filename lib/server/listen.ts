import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { using } from '#lib/server/settings/start-up-fault'

export type Address = { host: string; port: number }

/**
 * Opens a listener that slow clients cannot exhaust: it limits the size of headers, and the time for headers and body
 * (security checklist, "Deployment").
 */
export async function listen(
  address: Address,
  handler: RequestListener,
  { patience, upgrades = false }: { patience?: Partial<typeof usual>; upgrades?: boolean } = {},
): Promise<Server> {
  const { headers, check, silence } = { ...usual, ...patience }
  const server = createServer(
    {
      // Only HTTP/1.1: RFC 9110 §7.8 allows ignoring an Upgrade. Next's development server needs a WebSocket.
      shouldUpgradeCallback: () => upgrades,
      // Fits an authorization request whose state has 8,192 bytes, each percent-encoded.
      maxHeaderSize: 32 * 1024,
      headersTimeout: headers,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: check,
    },
    handler,
  )
  // With its own limit, Node would silently drop further headers, perhaps a second Host header among them; route-
  // table.ts refuses a request with too many headers instead.
  server.maxHeadersCount = 0
  // Ends a connection that is silent for too long, because its client stopped reading; a slow reader is not silent. With
  // WebSockets there is no limit, because they may be idle.
  server.timeout = upgrades ? 0 : silence
  const answers = followConnections(server)
  server.on('clientError', (fault: NodeJS.ErrnoException, socket) => {
    const [oldest] = answers.get(socket as Socket) ?? []
    // Once a response has begun, an error response on the same connection would be read as part of its body.
    const isInsideAnswer = oldest?.headersSent && !oldest.writableEnded
    if (!socket.writable || fault.code === 'ECONNRESET' || isInsideAnswer) socket.destroy()
    else socket.end(`HTTP/1.1 ${statusOf(fault.code)}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: address.port, host: bindable(address.host), backlog }, resolve)
  })
  return server
}

/**
 * The connections that may wait until the event loop accepts them; Linux permits as many (net.core.somaxconn). With the
 * usual 511, more clients at once would have to try again, after 1, 3, 7 and more seconds.
 */
const backlog = 4096

/** Time limits in milliseconds. */
const usual = { headers: 10_000, check: 5_000, silence: 60_000 }

/**
 * Opens one listener for each host, or a single one if both addresses are equal: behind a proxy the hosts can share a
 * port.
 */
export async function listenAll(
  addresses: { LISTEN_ISSUER: Address; LISTEN_ACCOUNT: Address },
  handler: RequestListener,
  options?: { upgrades: boolean },
): Promise<Server[]> {
  const { LISTEN_ISSUER: issuer, LISTEN_ACCOUNT: account } = addresses
  const one = await using('LISTEN_ISSUER', () => listen(issuer, handler, options))
  if (bindable(issuer.host) === bindable(account.host) && issuer.port === account.port) return [one]
  return [one, await using('LISTEN_ACCOUNT', () => listen(account, handler, options))]
}

/** The answers in flight on each connection, the oldest first; a client that pipelines awaits several. */
type Answers = Map<Socket, Set<ServerResponse>>
const answersOf = new WeakMap<Server, Answers>()

/**
 * Tracks the answers in flight on each connection. Node does not treat a connection as idle that has never sent a
 * request.
 */
function followConnections(server: Server): Answers {
  const answers: Answers = new Map()
  answersOf.set(server, answers)
  server.on('connection', (socket) => {
    answers.set(socket, new Set())
    socket.once('close', () => answers.delete(socket))
  })
  server.on('request', ({ socket }, outgoing) => {
    const ofSocket = answers.get(socket)
    ofSocket?.add(outgoing)
    // Emitted once: `once` would only add the cost of removing the listener.
    outgoing.on('close', () => ofSocket?.delete(outgoing))
  })
  return answers
}

/** Gives every answer from now on, also to requests in flight, `Connection: close` (RFC 9112 §9.6). */
export function closeAfterAnswers(server: Server) {
  const close = (outgoing: ServerResponse) => outgoing.headersSent || outgoing.setHeader('connection', 'close')
  for (const inFlight of answersOf.get(server)?.values() ?? []) inFlight.forEach(close)
  server.prependListener('request', (_, outgoing) => close(outgoing))
}

/** Ends every connection without a request in flight. */
export function closeQuietConnections(server: Server) {
  for (const [socket, inFlight] of answersOf.get(server) ?? []) if (inFlight.size === 0) socket.destroy()
}

/** Returns `localhost` for a name below it, which some resolvers do not know (RFC 6761 §6.3). */
const bindable = (host: string) => (host.endsWith('.localhost') ? 'localhost' : host)

/** Returns the port in use, also when port 0 was requested. */
export const portOf = (server: Server) => (server.address() as AddressInfo).port

function statusOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout'
  return '400 Bad Request'
}

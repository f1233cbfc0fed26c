import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { using } from '#lib/server/settings/start-up-fault'

export type Address = { host: string; port: number }

/**
 * Opens a listener whose clients cannot hold it: limits on headers and on the time to send them and the body
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
      // We speak HTTP/1.1 alone (RFC 9110 §7.8: an Upgrade may be ignored); Next's development server has a WebSocket.
      shouldUpgradeCallback: () => upgrades,
      maxHeaderSize: 16 * 1024,
      headersTimeout: headers,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: check,
    },
    handler,
  )
  // Node drops headers beyond a count in silence, and a second Host with them; target.ts counts and refuses.
  server.maxHeadersCount = 0
  // Ends the connection of a client that reads nothing of its answer; reading slowly is progress. A WebSocket may be silent.
  server.timeout = upgrades ? 0 : silence
  followConnections(server)
  server.on('clientError', (fault: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || fault.code === 'ECONNRESET') socket.destroy()
    else socket.end(`HTTP/1.1 ${statusOf(fault.code)}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address.port, bindable(address.host), resolve)
  })
  return server
}

/** Milliseconds. */
const usual = { headers: 10_000, check: 5_000, silence: 60_000 }

/** A listener for each address, one where two are the same: behind a proxy both hosts can share a port. */
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

const quiet = new WeakMap<Server, Set<Socket>>()

/** Knows which connections have no request in flight; Node's own idea of idle leaves out those that never sent one. */
function followConnections(server: Server) {
  const sockets = new Set<Socket>()
  quiet.set(server, sockets)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }, outgoing) => {
    sockets.delete(socket)
    outgoing.once('close', () => socket.destroyed || sockets.add(socket))
  })
}

/** Ends every connection that nobody is being answered on. */
export function closeQuietConnections(server: Server) {
  for (const socket of quiet.get(server) ?? []) socket.destroy()
}

/** Not every resolver knows the names below `localhost` (RFC 6761 §6.3). */
const bindable = (host: string) => (host.endsWith('.localhost') ? 'localhost' : host)

/** The port really bound, for port 0. */
export const portOf = (server: Server) => (server.address() as AddressInfo).port

function statusOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout'
  return '400 Bad Request'
}

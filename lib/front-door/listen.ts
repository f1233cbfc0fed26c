import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Address = { host: string; port: number }

/**
 * Opens a listener whose clients cannot hold it: limits on headers and on the time to send them and the body
 * (security checklist, "Deployment").
 */
export async function listen(address: Address, handler: RequestListener): Promise<Server> {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
    },
    handler,
  )
  server.maxHeadersCount = 100
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

/** Not every resolver knows the names below `localhost` (RFC 6761 §6.3). */
const bindable = (host: string) => (host.endsWith('.localhost') ? 'localhost' : host)

/** The port really bound, for port 0. */
export const portOf = (server: Server) => (server.address() as AddressInfo).port

function statusOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return '408 Request Timeout'
  return '400 Bad Request'
}

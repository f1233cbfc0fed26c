import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { freePorts } from '#lib/testing/process/free-ports'
import { type Address, closeQuietConnections, listen, listenAll, portOf } from './listen.ts'

const running: Server[] = []
afterEach(() => {
  for (const server of running.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

it('allows ten seconds for headers and thirty for the request', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0 }, () => undefined)
  running.push(server)
  expect([server.headersTimeout, server.requestTimeout, server.maxHeadersCount]).toEqual([10_000, 30_000, 0])
})

it('lets a thousand clients connect while the event loop is busy', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0 }, () => undefined)
  running.push(server)
  const clients = Array.from({ length: 1000 }, () => connect(portOf(server), '127.0.0.1'))
  // The clients connect in the next tick, and the server accepts none of them before the turn ends.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  const connected = connectionsTo(portOf(server))
  const missing = clients.filter(({ localPort = 0 }) => !connected.has(localPort))
  for (const client of clients) client.destroy()
  expect(missing).toHaveLength(0)
})

/** Returns the ports of the clients that Linux has connected to a port of 127.0.0.1, each once. */
function connectionsTo(port: number): Set<number> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  // A row has the client's address, the server's address and the state; 01 is an established connection. Linux writes the
  // bytes of 127.0.0.1 in the order of the processor, here little-endian.
  const rows = new RegExp(`: 0100007F:(\\w{4}) 0100007F:${hex} 01 `, 'g')
  // Only connections to this server count: another program may use the same port number on another address.
  return new Set(
    [...readFileSync('/proc/self/net/tcp', 'utf8').matchAll(rows)].map(([, client]) => Number(`0x${client}`)),
  )
}

it('answers 408 to a stalled request and ends its connection', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0 }, () => undefined, {
    patience: { headers: 100, check: 50 },
  })
  running.push(server)
  const socket = connect(portOf(server), '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n'))
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /)
  await once(socket, 'close')
})

it('ends the connection of a client that does not read its answer', { timeout: 10_000 }, async () => {
  const server = await listen(
    { host: '127.0.0.1', port: 0 },
    (_, outgoing) => void outgoing.end(Buffer.alloc(32_000_000)),
    { patience: { headers: 100, check: 50, silence: 300 } },
  )
  running.push(server)
  const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'))
  const socket = connect(portOf(server), '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  socket.pause()
  await closed
  socket.destroy()
})

it('sends its whole answer to a slow reader', { timeout: 20_000 }, async () => {
  const size = 8_000_000
  const server = await listen(
    { host: '127.0.0.1', port: 0 },
    (_, outgoing) => void outgoing.setHeader('connection', 'close').end(Buffer.alloc(size)),
    { patience: { headers: 100, check: 50, silence: 3000 } },
  )
  running.push(server)
  let read = 0
  const socket = connect(portOf(server), '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length
    socket.pause()
    setTimeout(() => socket.resume(), 40)
  })
  await once(socket, 'close')
  expect(read).toBeGreaterThan(size)
})

it('shares a listener between hosts with one address, and opens two for different addresses', async () => {
  const [one = 0, two = 0] = await freePorts(2)
  const at = (host: string, port: number) => ({ host, port })
  const open = (issuer: Address, account: Address) =>
    listenAll({ LISTEN_ISSUER: issuer, LISTEN_ACCOUNT: account }, () => undefined)
  const shared = await open(at('id.localhost', one), at('account.localhost', one))
  const apart = await open(at('127.0.0.1', two), at('localhost', 0))
  running.push(...shared, ...apart)
  expect([shared.length, apart.length]).toEqual([1, 2])
})

it('sends nothing inside the body of an answer when a malformed request follows', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0 }, (_, outgoing) => {
    outgoing.setHeader('content-length', 1000)
    outgoing.write('the beginning')
  })
  running.push(server)
  const socket = connect(portOf(server), '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
    if (answer.endsWith('the beginning')) socket.write('no request\r\n\r\n')
  })
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\nthe beginning$/)
})

it('sends 400 behind a finished answer when a malformed request follows', async () => {
  const size = 4_000_000
  const server = await listen({ host: '127.0.0.1', port: 0 }, (_, outgoing) => void outgoing.end('a'.repeat(size)))
  running.push(server)
  const requests = 'GET / HTTP/1.1\r\nHost: x\r\n\r\nno request\r\n\r\n'
  const socket = connect(portOf(server), '127.0.0.1', () => socket.write(requests))
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  const [, body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
  expect([body.slice(0, size).replaceAll('a', ''), body.slice(size, size + 13)]).toEqual(['', 'HTTP/1.1 400 '])
})

it('keeps a connection with a pipelined request in flight when it closes quiet ones', async () => {
  const second = Promise.withResolvers<ServerResponse>()
  const server = await listen({ host: '127.0.0.1', port: 0 }, ({ url }, outgoing) => {
    if (url === '/first') outgoing.end('first')
    else second.resolve(outgoing)
  })
  running.push(server)
  const requests = ['/first', '/second'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const socket = connect(portOf(server), '127.0.0.1', () => socket.write(requests.join('')))
  const outgoing = await second.promise
  await once(socket, 'data')
  await new Promise(setImmediate)
  closeQuietConnections(server)
  outgoing.setHeader('connection', 'close').end('second')
  const [chunk] = await once(socket, 'data')
  expect(String(chunk)).toMatch(/second$/)
})

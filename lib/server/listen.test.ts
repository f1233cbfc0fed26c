import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { freePorts } from '#lib/testing/process/free-ports'
import { type Address, listen, listenAll, portOf } from './listen.ts'

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
    { patience: { headers: 100, check: 50, silence: 500 } },
  )
  running.push(server)
  let read = 0
  const socket = connect(portOf(server), '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length
    socket.pause()
    setTimeout(() => socket.resume(), 10)
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

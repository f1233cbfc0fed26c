import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { freePorts } from '#lib/testing/process/free-ports'
import { type Address, listen, listenAll, portOf } from './listen.ts'

const running: Server[] = []
afterEach(() => {
  for (const server of running.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

test('a client has ten seconds for its headers and thirty for the whole request', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0 }, () => undefined)
  running.push(server)
  expect([server.headersTimeout, server.requestTimeout, server.maxHeadersCount]).toEqual([10_000, 30_000, 0])
})

test('a request that stops halfway is answered 408 and its connection ends', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0 }, () => undefined, {
    patience: { headers: 100, check: 50 },
  })
  running.push(server)
  const socket = connect(portOf(server), '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n'))
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /)
  await once(socket, 'close')
})

test('the connection of a client that reads nothing of an answer ends', { timeout: 10_000 }, async () => {
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

test('a client that reads slowly gets its whole answer', { timeout: 20_000 }, async () => {
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

test('two hosts at one address share a listener; different ones have their own', async () => {
  const [one = 0, two = 0] = await freePorts(2)
  const at = (host: string, port: number) => ({ host, port })
  const open = (issuer: Address, account: Address) =>
    listenAll({ LISTEN_ISSUER: issuer, LISTEN_ACCOUNT: account }, () => undefined)
  const shared = await open(at('id.localhost', one), at('account.localhost', one))
  const apart = await open(at('127.0.0.1', two), at('localhost', 0))
  running.push(...shared, ...apart)
  expect([shared.length, apart.length]).toEqual([1, 2])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { findNode } from '../bin/find-node.mjs'
import { expect, test } from './postern.ts'
import { ServerProcess } from './server-process.ts'

/** Longer than a test may take: only a second signal ends the drain. */
const settings = { DRAIN_SECONDS: '300' }

/** Requests a path on a connection that stays open, if the server allows it. */
function get(url: string, agent: Agent): Promise<{ status: number | undefined; connection: string | undefined }> {
  const answered = (answer: IncomingMessage) => {
    answer.resume()
    return { status: answer.statusCode, connection: answer.headers.connection }
  }
  return new Promise((resolve, reject) => {
    request(url, { agent }, (answer) => resolve(answered(answer)))
      .on('error', reject)
      .end()
  })
}

test('is not ready but serves after SIGTERM, closes each connection, and stops at the second SIGTERM', async () => {
  const server = await ServerProcess.start(settings)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const discovery = `${server.issuer}/.well-known/openid-configuration`
  expect(await get(discovery, agent)).toEqual({ status: 200, connection: 'keep-alive' })
  server.signal('SIGTERM')
  await expect.poll(async () => (await fetch(`${server.issuer}/readyz`)).status).toBe(503)
  for (const url of [discovery, `${server.accountUrl}/`, discovery, server.metricsUrl])
    expect(await get(url, agent), url).toEqual({ status: 200, connection: 'close' })
  for (const url of [server.issuer, server.metricsUrl])
    expect(await (await fetch(new URL('/readyz', url))).text()).toBe('shutting down\n')
  // A repetition within a second is the same signal, sent twice.
  await expect.poll(() => server.signal('SIGTERM')).toBe(false)
  expect(await server.stop()).toBe(0)
  agent.destroy()
  await server.remove()
})

test('stops without a drain at SIGINT', async () => {
  const server = await ServerProcess.start(settings)
  server.signal('SIGINT')
  await expect.poll(() => server.signal('SIGINT')).toBe(false)
  expect(await server.stop()).toBe(0)
  expect(server.logs()).not.toContain('no longer ready')
  await server.remove()
})

test('exits with code 0 on a signal during the start', async () => {
  // A database that never answers keeps the server in its start.
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' as const, SECRET_KEY: 'A'.repeat(43) }
  const url = `postgresql://postern@127.0.0.1:${port}/postern`
  const child = spawn(findNode('.'), ['server.ts'], { env: { ...env, DATABASE_URL: url }, stdio: 'ignore' })
  await once(silent, 'connection')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  silent.close()
})

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { request as requestTls } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import { expect, test } from '@playwright/test'
import { freePorts } from '#lib/testing/process/free-ports'
import { deployed, startProxy } from '../reverse-proxy.ts'
import { makeCertificate } from '../wire/tls.ts'

test.describe.configure({ timeout: 300_000 })

const host = 'id.example.org'
/** The suites of TLS 1.2 that FAPI 2.0 allows and that keep forward secrecy with elliptic curves. */
const allowed = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384'].map((suite) => `ECDHE-ECDSA-${suite}`)
const refused = [
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-SHA256',
  'ECDHE-ECDSA-AES128-SHA',
  'AES128-GCM-SHA256',
]

for (const name of ['nginx', 'caddy'] as const) {
  test.describe(name, () => {
    let port = 0
    let folder = ''
    const seen: IncomingHttpHeaders[] = []
    const undo: (() => unknown)[] = []

    test.beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'postern-tls-'))
      undo.push(() => rmSync(folder, { recursive: true }))
      makeCertificate(folder, [host, 'account.example.org'])
      const upstream = createServer((incoming, outgoing) => {
        seen.push(incoming.headers)
        outgoing.end(incoming.url)
      })
      await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done))
      undo.push(
        () => upstream.close(),
        () => upstream.closeAllConnections(),
      )
      const behind = (upstream.address() as AddressInfo).port
      ;[port = 0] = await freePorts(1)
      const proxy = await startProxy(name, deployed(name), { proxy: port, issuer: behind, account: behind }, folder)
      undo.push(() => proxy.remove())
    })

    test.afterAll(async () => {
      for (const step of undo.splice(0).reverse()) await step()
    })

    test('prefers TLS 1.3', async () => {
      expect(await shake(port, {})).toMatchObject({ protocol: 'TLSv1.3' })
      expect(await shake(port, { maxVersion: 'TLSv1.2' })).toMatchObject({ protocol: 'TLSv1.2' })
    })

    test('refuses TLS 1.1 and 1.0', async () => {
      for (const version of ['TLSv1', 'TLSv1.1'] as const)
        expect(
          await shake(port, { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' }),
        ).toMatchObject({
          error: expect.stringContaining('PROTOCOL_VERSION'),
        })
    })

    test('accepts in TLS 1.2 only ECDHE with AES-GCM', async () => {
      for (const ciphers of allowed)
        expect(await shake(port, { maxVersion: 'TLSv1.2', ciphers })).toMatchObject({ suite: ciphers })
      for (const ciphers of refused)
        expect(await shake(port, { maxVersion: 'TLSv1.2', ciphers }), ciphers).toMatchObject({
          error: expect.stringContaining('HANDSHAKE_FAILURE'),
        })
    })

    test('gives no certificate to a client that asks for another host', async () => {
      expect(await shake(port, { servername: 'other.example.org' })).toHaveProperty('error')
    })

    test('keeps the host, and puts the address of the client last in X-Forwarded-For', async () => {
      const answer = await ask(port, '/oauth2/authorize?login_hint=ada@example.org')
      expect(answer.headers.server ?? '').not.toMatch(/\d/)
      const headers = seen.at(-1)
      expect(headers?.host).toBe(host)
      expect(headers?.['x-forwarded-for']?.toString().split(', ').at(-1)).toBe('127.0.0.1')
    })

    if (name === 'nginx')
      test('logs no query', async () => {
        await ask(port, '/oauth2/authorize?login_hint=ada@example.org')
        const log = readFileSync(join(folder, `nginx-${port}`, 'postern.log'), 'utf8')
        expect(log).toContain('"GET /oauth2/authorize" 200')
        expect(log).not.toContain('ada')
      })
  })
}

/** Shakes hands and returns what was agreed, or the alert. */
function shake(port: number, options: ConnectionOptions) {
  return new Promise<{ protocol?: string | null; suite?: string; error?: string }>((done) => {
    const socket = connect(
      { host: '127.0.0.1', port, servername: host, rejectUnauthorized: false, minVersion: 'TLSv1.2', ...options },
      () => {
        done({ protocol: socket.getProtocol(), suite: socket.getCipher().name })
        socket.destroy()
      },
    )
    socket.on('error', (fault: Error & { code?: string }) => done({ error: `${fault.code} ${fault.message}` }))
  })
}

function ask(port: number, path: string) {
  return new Promise<{ headers: IncomingHttpHeaders }>((done, fail) => {
    const headers = { host, 'x-forwarded-for': '198.51.100.7' }
    requestTls({ host: '127.0.0.1', port, path, servername: host, headers, rejectUnauthorized: false }, (answer) => {
      answer.resume().on('end', () => done({ headers: answer.headers }))
    })
      .on('error', fail)
      .end()
  })
}

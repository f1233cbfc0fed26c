import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { freePorts } from '#lib/testing/process/free-ports'
import { startHaproxy } from './haproxy.ts'
import { deployed, startProxy } from './reverse-proxy.ts'
import { makeCertificate } from './wire/tls.ts'

// The limit includes the installation of the proxies from Debian.
test.describe.configure({ timeout: 300_000 })

const host = 'id.example.org'
const ownText = 'The service does not answer. Try again in a few seconds.'

type Answer = { status: number | undefined; after: string | undefined; type: string | undefined; text: string }

for (const name of ['nginx', 'caddy', 'haproxy'] as const)
  test(`lets ${name} say when to try again, and passes the refusals of Postern unchanged`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postern-proxy-faults-'))
    const { key, cert } = makeCertificate(folder, [host, 'account.example.org'])
    const upstream = await startUpstream()
    const { port: behind } = upstream.address() as AddressInfo
    const [port = 0] = await freePorts(1)
    const bind = `127.0.0.1:${port} ssl crt ${folder}/both.pem`
    writeFileSync(join(folder, 'both.pem'), `${cert}\n${key}`)
    const proxy =
      name === 'haproxy'
        ? await startHaproxy(folder, [bind], [behind], host)
        : await startProxy(name, deployed(name), { proxy: port, issuer: behind, account: behind }, folder)
    try {
      // Caddy accepts connections before it has made its certificate.
      await expect
        .poll(() =>
          ask(port, '/').then(
            ({ status }) => status,
            () => 'no answer',
          ),
        )
        .toBe(200)
      expect(await ask(port, '/busy')).toMatchObject({
        status: 503,
        after: '30',
        text: 'busy',
        type: 'application/json',
      })
      const own = { after: '5', text: ownText, type: expect.stringContaining('text/plain') }
      const [silent, broken] = await Promise.all([ask(port, '/silent'), ask(port, '/broken')])
      expect(silent).toMatchObject({ status: 504, ...own })
      expect(broken).toMatchObject({ status: 502, ...own })
      upstream.closeAllConnections()
      upstream.close()
      await expect.poll(() => ask(port, '/')).toMatchObject({ status: name === 'haproxy' ? 503 : 502, ...own })
    } finally {
      await ('stop' in proxy ? proxy.stop() : proxy.remove())
      upstream.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

/** Starts a server that answers, refuses, breaks the connection or stays silent, by path. */
async function startUpstream(): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/silent') return
    if (incoming.url === '/broken') return void incoming.socket.destroy()
    if (incoming.url === '/busy')
      outgoing.writeHead(503, { 'retry-after': '30', 'content-type': 'application/json' }).end('busy')
    else outgoing.end('fine')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

function ask(port: number, path: string): Promise<Answer> {
  return new Promise((done, fail) => {
    const about = { host: '127.0.0.1', port, path, servername: host, headers: { host }, rejectUnauthorized: false }
    request(about, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString()
      const { 'retry-after': after, 'content-type': type } = answer.headers
      done({ status: answer.statusCode, after, type, text })
    })
      .on('error', fail)
      .end()
  })
}

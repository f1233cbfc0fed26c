import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, test } from 'vitest'
import { readConfig } from '#lib/config'
import { makeLog } from '#lib/log'
import { makeMetrics } from '#lib/metrics'
import type { RouteModule } from './endpoint.ts'
import { makeFrontDoor } from './front-door.ts'
import { listen, portOf } from './listen.ts'
import { makeWatch } from './watch.ts'

const running: { close(): void; closeAllConnections(): void }[] = []
afterEach(() => {
  for (const server of running.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

const endpoint: RouteModule = {
  GET: (request) => new Response(JSON.stringify({ url: request.url, client: request.headers.get('x-postern-client') })),
  POST: async (request) => new Response((await request.text()).length.toString()),
}
const broken: RouteModule = {
  GET: () => {
    throw new Error('secret detail')
  },
}

async function setUp(env: Record<string, string> = {}) {
  const config = readConfig({ ISSUER: 'http://localhost:3000', ACCOUNT_URL: 'http://localhost:3001', ...env })
  const lines: string[] = []
  const log = makeLog('debug', { write: (line: string) => void lines.push(line) })
  const metrics = makeMetrics()
  const context = { config, log, metrics } as Parameters<typeof makeFrontDoor>[0]
  const routes: Record<string, RouteModule> = { '/endpoint': endpoint, '/broken': broken }
  const find = (path: string) => (routes[path] ? { template: path, module: routes[path] } : undefined)
  const health = (path: string) => (path === '/healthz' ? { template: path, module: endpoint } : undefined)
  const shown = (path: string) => (path === '/' ? { template: path, module: {} } : undefined)
  const page = async (_: unknown, outgoing: { end(text: string): void }) => outgoing.end('a page')
  const door = makeFrontDoor(
    context,
    { endpoints: { find }, journey: { find: () => undefined }, pages: { find: shown }, health: { find: health }, page },
    makeWatch(context),
  )
  const server = await listen({ host: '127.0.0.1', port: 0 }, door)
  running.push(server)
  const port = portOf(server)
  const ask = (path: string, options: Ask = {}) => askServer(port, path, options)
  return { ask, port, lines, metrics }
}

type Ask = { host?: string; method?: string; headers?: Record<string, string>; body?: string }

function askServer(port: number, path: string, { host = 'localhost:3000', method = 'GET', headers = {}, body }: Ask) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const sent = httpRequest({ port, path, method, headers: { host, ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Sends bytes as they are and gives back the first line of the answer. */
function askRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (data) => {
      socket.destroy()
      resolve(String(data).split('\r\n')[0] ?? '')
    })
    socket.on('error', reject)
  })
}

describe('the two hosts', () => {
  test('an endpoint answers on the issuer and is not there on the account host', async () => {
    const { ask } = await setUp()
    expect((await ask('/endpoint?a=1')).text).toContain('http://localhost:3000/endpoint?a=1')
    expect((await ask('/endpoint', { host: 'localhost:3001' })).status).toBe(404)
  })

  test('a page answers on the account host and is not there on the issuer', async () => {
    const { ask } = await setUp()
    expect((await ask('/account', { host: 'localhost:3001' })).text).toBe('a page')
    expect((await ask('/account')).status).toBe(404)
  })

  test('any other host is misdirected, health aside', async () => {
    const { ask } = await setUp()
    expect((await ask('/endpoint', { host: 'evil.example' })).status).toBe(421)
    expect((await ask('/healthz', { host: '10.1.2.3' })).status).toBe(200)
  })
})

describe('what cannot be read', () => {
  test.each([
    'OPTIONS * HTTP/1.1',
    'GET //evil.example/ HTTP/1.1',
    'GET http://evil.example/ HTTP/1.1',
    'GET /%zz HTTP/1.1',
    'GET /a%00b HTTP/1.1',
    'GET /a\\b HTTP/1.1',
    'GET /endpoint?name=é HTTP/1.1',
    'NONSENSE',
  ])('%s is answered 400', async (line) => {
    const { port } = await setUp()
    expect(await askRaw(port, `${line}\r\nHost: localhost:3000\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400/)
  })

  test('a query is read as it was sent, with what a browser leaves unencoded', async () => {
    const { ask } = await setUp()
    expect((await ask("/endpoint?a=x\\y&b=it's|{}[]^`")).text).toContain('a=x\\\\y&b=it')
  })

  test('headers over 16 KiB are answered 431', async () => {
    const { port } = await setUp()
    const line = `GET / HTTP/1.1\r\nHost: localhost:3000\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`
    expect(await askRaw(port, line)).toMatch(/^HTTP\/1\.1 431/)
  })

  test('a form over 64 KiB is answered 413, declared or not', async () => {
    const { ask } = await setUp()
    const body = 'a'.repeat(64 * 1024 + 1)
    expect((await ask('/endpoint', { method: 'POST', body })).status).toBe(413)
    const chunked = await ask('/endpoint', { method: 'POST', body, headers: { 'transfer-encoding': 'chunked' } })
    expect(chunked.status).toBe(413)
    expect((await ask('/endpoint', { method: 'POST', body: body.slice(1) })).text).toBe('65536')
  })
})

describe('methods', () => {
  test.each(['PUT', 'DELETE', 'PATCH', 'TRACE'])(
    '%s on an endpoint is answered 405 with what is allowed',
    async (method) => {
      const { ask } = await setUp()
      const answer = await ask('/endpoint', { method })
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    },
  )

  test('HEAD is GET without the body', async () => {
    const { ask } = await setUp()
    const [head, get] = [await ask('/endpoint', { method: 'HEAD' }), await ask('/endpoint')]
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', get.headers['content-length']])
  })
})

describe('what a client claims', () => {
  test('forwarded addresses count only from a configured proxy', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7', 'x-postern-client': '1.1.1.1' }
    const trusting = await setUp({ TRUST_PROXY: '127.0.0.1' })
    expect((await trusting.ask('/endpoint', { headers })).text).toContain('"client":"198.51.100.7"')
    const plain = await setUp()
    expect((await plain.ask('/endpoint', { headers })).text).toContain('"client":"127.0.0.1"')
  })
})

describe('request ids', () => {
  it('are random: one tells nothing of the next', async () => {
    const { ask } = await setUp()
    const ids = [await ask('/endpoint'), await ask('/endpoint')].map(({ headers }) => String(headers['x-request-id']))
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(9)
    const shared = [...(ids[0] as string)].filter((letter, at) => letter === ids[1]?.[at]).length
    expect(shared).toBeLessThan(8)
  })
})

describe('what is recorded', () => {
  test('a fault says nothing but its request id, and the log has the rest', async () => {
    const { ask, lines } = await setUp()
    const answer = await ask('/broken')
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('secret detail')
    expect(answer.text).toContain(answer.headers['x-request-id'])
    expect(lines.join()).toContain('secret detail')
  })

  test('routes are counted by template; the query is nowhere', async () => {
    const { ask, lines, metrics } = await setUp()
    await ask('/endpoint?code=very-secret-code')
    await expect.poll(() => metrics.registry.metrics()).toContain('route="/endpoint",method="GET",status="200"')
    expect(lines.join() + (await metrics.registry.metrics())).not.toContain('very-secret-code')
  })

  test('every endpoint answer carries the security headers, the date and no cookie', async () => {
    const { ask } = await setUp()
    const { headers } = await ask('/endpoint')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("'none'"),
    })
    expect(headers['set-cookie']).toBeUndefined()
    // Clients measure their clock by it.
    expect(Date.parse(String(headers.date))).toBeGreaterThan(0)
  })
})

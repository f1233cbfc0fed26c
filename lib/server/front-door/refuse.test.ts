import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { ClosedKeys } from '#lib/keys/store'
import { Overloaded } from '#lib/queue/fair-queue'
import { listen, portOf } from '#lib/server/listen'
import { makeLog } from '#lib/server/observe/log'
import { makeMetrics } from '#lib/server/observe/metrics'
import { readConfig } from '#lib/server/settings/config'
import { makeFrontDoor } from './front-door.ts'
import { Refusal } from './refuse.ts'
import { makeWatch } from './watch.ts'

const running: { close(): void; closeAllConnections(): void }[] = []
afterEach(() => {
  for (const server of running.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/**
 * Starts a front door with an endpoint on the issuer and a form handler on the account host, which both throw this
 * error.
 */
async function setUp(fault: unknown) {
  const config = readConfig({
    ISSUER: 'http://localhost:3000',
    ACCOUNT_URL: 'http://localhost:3001',
    DEFAULT_THEME: 'dark',
  })
  const lines: string[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(line) })
  const context = { config, log, metrics: makeMetrics() } as Parameters<typeof makeFrontDoor>[0]
  const fail = () => Promise.reject(fault)
  const routesAt = (...paths: string[]) => ({
    find: (asked: string) => (paths.includes(asked) ? { template: asked, module: { GET: fail } } : undefined),
  })
  const doors = {
    endpoints: routesAt('/endpoint', '/oauth2/authorize'),
    steps: routesAt('/step', '/console/api/v1/team'),
    pages: { find: () => undefined },
    health: { find: () => undefined },
    page: fail,
  }
  const server = await listen({ host: '127.0.0.1', port: 0 }, makeFrontDoor(context, doors, makeWatch(context)))
  running.push(server)
  const at =
    (host: string, path: string) =>
    (accept: string, headers: Record<string, string> = {}) =>
      ask(portOf(server), path, { host, accept, ...headers })
  const onIssuer = at('localhost:3000', '/endpoint')
  const onAuthorize = at('localhost:3000', '/oauth2/authorize')
  return {
    onIssuer,
    onAuthorize,
    onAccount: at('localhost:3001', '/step'),
    onStep: (query: string) => at('localhost:3001', `/step${query}`),
    onApi: at('localhost:3001', '/console/api/v1/team'),
    lines,
  }
}

function ask(port: number, path: string, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const sent = httpRequest({ port, path, headers }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      resolve({ status: answer.statusCode, headers: answer.headers, text })
    })
    sent.on('error', reject)
    sent.end()
  })
}

const fault = (message: string, properties: object = {}) => Object.assign(new Error(message), properties)
const refused = fault('connect ECONNREFUSED 10.0.0.7:5432', { code: 'ECONNREFUSED' })

describe('the API of a team', () => {
  it.each([
    [refused, 503, 'service_unavailable'],
    [fault('A mistake of ours.'), 500, 'internal_server_error'],
    [new Overloaded('The queue is full.'), 503, 'service_unavailable'],
    [new ClosedKeys('SECRET_KEY does not open the stored signing keys.'), 503, 'service_unavailable'],
    [new Refusal(413, 'The request body is too large.'), 413, 'payload_too_large'],
  ])('answers %s with the members of every problem document', async (thrown, status, code) => {
    const { onApi } = await setUp(thrown)
    const answer = await onApi('*/*')
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/problem+json'])
    const problem = JSON.parse(answer.text)
    expect(problem).toEqual({ title: expect.any(String), status, detail: expect.any(String), code })
    expect(answer.text).not.toContain('mistake')
  })
})

describe('an unavailable database', () => {
  it('is not readable by other origins at the authorization endpoint', async () => {
    const { onAuthorize } = await setUp(refused)
    const { status, headers } = await onAuthorize('*/*')
    expect([status, headers['access-control-allow-origin']]).toEqual([503, undefined])
  })

  it('is answered by OAuth JSON with 503 for an app, readable from any origin', async () => {
    const { onIssuer } = await setUp(refused)
    const { status, headers, text } = await onIssuer('*/*')
    expect(status).toBe(503)
    expect(JSON.parse(text)).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'retry-after': '5',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
  })

  it('is answered by a page for a person, and by a line of text on the issuer', async () => {
    const { onAccount, onIssuer } = await setUp(refused)
    const page = await onAccount('text/html')
    expect([page.status, page.headers['retry-after']]).toEqual([503, '5'])
    expect(page.text).toMatch(/<h1>/)
    expect(page.headers['content-security-policy']).toContain("style-src 'nonce-")
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(page.headers['x-frame-options']).toBe('DENY')
    const line = await onIssuer('text/html')
    expect([line.status, line.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8'])
  })

  it('is described only in the log', async () => {
    const { onIssuer, lines } = await setUp(refused)
    expect((await onIssuer('*/*')).text).not.toContain('10.0.0.7')
    expect(lines.join()).toContain('10.0.0.7')
  })

  it.each([
    ['the driver, without a code', fault('Connection terminated unexpectedly')],
    ['the pool, full for too long', fault('timeout exceeded when trying to connect')],
    ['several unreachable addresses', Object.assign(new AggregateError([refused]), { code: 'ECONNREFUSED' })],
    ['PostgreSQL, shutting down', fault('terminating connection', { code: '57P01' })],
    ['PostgreSQL, starting', fault('the database system is starting up', { code: '57P03' })],
    ['PostgreSQL, full', fault('sorry, too many clients already', { code: '53300' })],
    ['PostgreSQL, after a statement took too long', fault('canceling statement', { code: '57014' })],
    ['PostgreSQL, read-only', fault('cannot execute UPDATE in a read-only transaction', { code: '25006' })],
    ['SQLite, on a full disk', fault('database or disk is full', { code: 'SQLITE_FULL' })],
    ['Prisma', fault("Can't reach database server", { code: 'P1001' })],
    ['Prisma, quoting the database', fault('terminating', { cause: { kind: 'postgres', code: '57P01' } })],
  ])('is recognized from %s', async (_, reported) => {
    expect((await (await setUp(reported)).onIssuer('*/*')).status).toBe(503)
  })
})

describe('a full queue', () => {
  it('is answered by a page that reloads by itself, without an error in the log', async () => {
    const { onAccount, lines } = await setUp(new Overloaded('The queue is full.'))
    const { status, headers, text } = await onAccount('text/html')
    expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^([3-9]|10)$/)])
    expect(headers.refresh).toBe(headers['retry-after'])
    expect(text).toContain('This page reloads automatically')
    expect(lines.join()).not.toContain('request failed')
  })

  it('is answered by one line of text if the client does not request HTML', async () => {
    const { status, headers, text } = await (await setUp(new Overloaded('The queue is full.'))).onAccount('*/*')
    expect([status, headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8'])
    expect(headers['retry-after']).toMatch(/^([3-9]|10)$/)
    expect(text).toBe('The service is busy. Try again in a few seconds.\n')
  })
})

describe('a form that is too large', () => {
  const account = 'http://localhost:3001'

  it.each([
    ['back to the page that sent it', `${account}/account/profile?ui_locales=ja`, '/account/profile?ui_locales=ja'],
    ['home from another site', 'https://evil.example/account/profile', `${account}/`],
    ['home from a site whose address begins alike', `${account}.evil.example/account`, `${account}/`],
    ['home from the other host', 'http://localhost:3000/', `${account}/`],
    ['home from a path of another host', `${account}//evil.example/`, `${account}/`],
    ['home from no readable address', 'x', `${account}/`],
    ['home from no address', '', `${account}/`],
  ])('has a page that leads %s', async (_what, referer, expected) => {
    const { onAccount } = await setUp(new Refusal(413, 'The request body is too large.'))
    const { status, text } = await onAccount('text/html', { referer })
    expect([status, ...(text.match(/(?<=<a href=")[^"]*/g) ?? [])]).toEqual([413, expected])
  })
})

describe('any other error', () => {
  it('has a page in the appearance of the browser, else in that of DEFAULT_THEME', async () => {
    const { onAccount } = await setUp(new TypeError('x is undefined'))
    expect((await onAccount('text/html')).text).toContain('<html lang="en" data-theme="dark">')
    const chosen = await onAccount('text/html', { cookie: 'postern_theme=light' })
    expect(chosen.text).toContain('<html lang="en" data-theme="light">')
  })

  it('has a page in the language of ui_locales, else the one chosen in the footer, else that of the browser', async () => {
    const { onAccount, onStep } = await setUp(new TypeError('x is undefined'))
    const browser = { 'accept-language': 'zh-CN' }
    const chosen = { ...browser, cookie: 'postern_language=zh-TW' }
    expect((await onAccount('text/html', browser)).text).toContain('<html lang="zh-CN"')
    expect((await onAccount('text/html', chosen)).text).toContain('<html lang="zh-TW"')
    expect((await onStep('?ui_locales=fr+ja')('text/html', chosen)).text).toContain('<html lang="ja"')
    const hostile = { ...browser, cookie: 'postern_language="><script>' }
    expect((await onStep('?ui_locales=%E0%A4%A&x')('text/html', hostile)).text).toContain('<html lang="zh-CN"')
  })

  it.each([
    ['a programming error', new TypeError('x is undefined')],
    ['a unique constraint', fault('Unique constraint failed', { code: 'P2002' })],
    ['a thrown string', 'ECONNREFUSED'],
  ])('is answered 500 without details: %s', async (_, reported) => {
    const { status, headers, text } = await (await setUp(reported)).onIssuer('*/*')
    expect([status, headers['retry-after']]).toEqual([500, undefined])
    expect(text).toContain(headers['x-request-id'])
  })
})

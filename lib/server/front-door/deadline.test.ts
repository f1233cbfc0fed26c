import { Agent, request as httpRequest, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { listen, portOf } from '#lib/server/listen'
import { makeLog } from '#lib/server/observe/log'
import { makeMetrics } from '#lib/server/observe/metrics'
import { readConfig } from '#lib/server/settings/config'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { makeFrontDoor } from './front-door.ts'
import type { RouteModule } from './route-table.ts'
import { makeWatch } from './watch.ts'

type Handler = NonNullable<RouteModule['GET']>
const never = () => new Promise<never>(() => undefined)

/** Starts a front door with one route and one page; `patience` may change between requests. */
async function setUp(handler: Handler = never, page: (outgoing: ServerResponse) => Promise<void> = never, answer = 40) {
  const patience = { answer }
  const config = readConfig({ ISSUER: 'http://localhost:3000', ACCOUNT_URL: 'http://localhost:3001' })
  const lines: string[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(line) })
  const context = { config, log, metrics: makeMetrics(), database: { trouble: { since: () => false } } }
  const at = (path: string, more: Partial<RouteModule> = {}) => ({
    find: (asked: string) =>
      asked === path
        ? { template: path, module: { GET: handler, POST: handler, PUT: handler, PATCH: handler, ...more } }
        : undefined,
  })
  const upload = at('/upload', { bodyLimit: 1_000_000 })
  const doors = { endpoints: at('/endpoint'), steps: at('/step'), pages: at('/page'), health: upload }
  const door = makeFrontDoor(
    context as unknown as Parameters<typeof makeFrontDoor>[0],
    { ...doors, page: (_, outgoing) => page(outgoing) },
    makeWatch(context),
    patience,
  )
  const server = await listen({ host: '127.0.0.1', port: 0 }, door)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => {
    agent.destroy()
    server.close()
    server.closeAllConnections()
  })
  const ask = (path: string, { method = 'GET', pieces = [] as string[], accept = 'text/html' } = {}) =>
    send(portOf(server), agent, {
      path,
      method,
      pieces,
      accept,
      host: `localhost:${path === '/endpoint' ? 3000 : 3001}`,
    })
  return { ask, lines, patience }
}

const betweenPieces = 200

type Asked = { path: string; method: string; pieces: string[]; accept: string; host: string }
type Answer = { status: number | undefined; headers: IncomingHttpHeaders; text: string }

function send(port: number, agent: Agent, { path, method, pieces, accept, host }: Asked): Promise<Answer> {
  const chunked = pieces.length > 0 ? { 'transfer-encoding': 'chunked' } : {}
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ port, path, method, agent, headers: { host, accept, ...chunked } }, async (answer) => {
      try {
        let text = ''
        for await (const chunk of answer) text += chunk
        resolve({ status: answer.statusCode, headers: answer.headers, text })
      } catch (fault) {
        reject(fault)
      }
    })
    sent.on('error', reject)
    const write = () => {
      const piece = pieces.shift()
      if (piece !== undefined) {
        sent.write(piece)
        setTimeout(write, betweenPieces)
      } else sent.end()
    }
    write()
  })
}

describe('a request without an answer in time', () => {
  it('is answered 503 in JSON for an app, and logged with its id', async () => {
    const { ask, lines } = await setUp()
    const { status, headers, text } = await ask('/endpoint', { method: 'POST', accept: '*/*', pieces: ['a=b'] })
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '5', 'no-store'])
    expect(JSON.parse(text)).toMatchObject({ error: 'temporarily_unavailable' })
    expect(lines.join()).toContain('had no answer in time')
    expect(lines.join()).toContain(headers['x-request-id'])
  })

  it('is answered by a page that reloads itself, or explains how to send a form again', async () => {
    const { ask } = await setUp()
    const page = await ask('/step')
    expect([page.status, page.headers.refresh]).toEqual([503, '5'])
    expect(page.text).toContain('This page reloads automatically')
    const form = await ask('/step', { method: 'POST', pieces: ['a=b'] })
    expect([form.status, form.headers.refresh]).toEqual([503, undefined])
    expect(form.text).toContain('let your browser send the form again')
  })

  it.each(['POST', 'PUT', 'PATCH'])('is timed from the last byte of its %s', async (method) => {
    const echo: Handler = async (request) => new Response(await request.text())
    const { ask } = await setUp(echo, never, 2 * betweenPieces)
    const pieces = ['a', 'b', 'c', 'd']
    expect(await ask('/step', { method, pieces })).toMatchObject({ status: 200, text: 'abcd' })
  })

  it('is refused when no handler reads its body', async () => {
    const { ask } = await setUp()
    expect((await ask('/endpoint', { pieces: ['never', 'read'] })).status).toBe(503)
  })

  it.each([1, 500_000])('is refused when no handler reads the %i bytes of its form', async (size) => {
    const { ask } = await setUp()
    const pieces = ['x'.repeat(size)]
    expect(await ask('/upload', { method: 'POST', pieces })).toMatchObject({ status: 503 })
  })

  it('is not refused while its form arrives, although the handler has begun to read late', async () => {
    const count: Handler = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, betweenPieces / 2))
      return new Response(String((await request.text()).length))
    }
    const { ask } = await setUp(count, never, 2 * betweenPieces)
    const pieces = ['x'.repeat(500_000), 'b', 'c', 'd', 'e']
    expect(await ask('/upload', { method: 'POST', pieces })).toMatchObject({ status: 200, text: '500004' })
  })

  it('keeps its answer, and the order of the connection, when the handler is late', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { ask, patience } = await setUp(() => released.then(() => new Response('late')))
    const first = await ask('/endpoint', { accept: '*/*' })
    release()
    await released
    patience.answer = 60_000
    const second = await ask('/endpoint', { accept: '*/*' })
    expect([first.status, second.status, second.text]).toEqual([503, 200, 'late'])
  })

  it('is answered 503 also when a page was started but not sent', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { ask, patience } = await setUp(never, async (outgoing) => {
      outgoing.setHeader('content-type', 'text/html')
      outgoing.setHeader('set-cookie', 'half=done')
      await released
      outgoing.write('late')
      outgoing.end('later')
    })
    const { status, headers, text } = await ask('/page')
    release()
    expect([status, headers['set-cookie'], headers['content-type']]).toEqual([
      503,
      undefined,
      'text/html; charset=utf-8',
    ])
    expect(text).toMatch(/<\/html>\n$/)
    patience.answer = 60_000
    expect((await ask('/page')).text).toBe('latelater')
  })

  it('ends its connection when a started answer stalls', async () => {
    const { ask } = await setUp(never, async (outgoing) => {
      outgoing.setHeader('content-type', 'image/png')
      outgoing.write('begun')
    })
    await expect(ask('/page')).rejects.toThrow()
  })
})

onBothDatabases('a request whose time is over', (open) => {
  const later = new Date('2030-01-01T00:00:00Z')
  const insert = { name: 'late', sql: `INSERT INTO "Lease" (name, holder, "expiresAt") VALUES ($1, '', $2)` }

  /** Sends a request to a handler that starts its work only after the 503; returns the result of that work. */
  async function workLate(database: Database, work: (wait: Promise<void>) => Promise<unknown>) {
    const { promise: refused, resolve: tell } = Promise.withResolvers<void>()
    const { promise: done, resolve: finish } = Promise.withResolvers<string>()
    const handler: Handler = () => {
      work(refused).then(
        () => finish('done'),
        (fault: Error) => finish(fault.message),
      )
      return never()
    }
    const { ask } = await setUp(handler)
    expect((await ask('/endpoint', { method: 'POST', accept: '*/*' })).status).toBe(503)
    tell()
    expect(await done).toContain('The request was refused before this statement.')
    expect(await database.prisma.lease.count()).toBe(0)
  }

  it('starts no further statement', async () => {
    const database = await open()
    await workLate(database, async (wait) => {
      await wait
      await statementsOf(database).change(insert, ['late', later])
    })
    await workLate(database, async (wait) => {
      await wait
      await database.prisma.lease.create({ data: { name: 'late', holder: '', expiresAt: later } })
    })
  })

  it('commits no open transaction', async () => {
    const database = await open()
    await workLate(database, (wait) =>
      database.prisma.$transaction(async (tx) => {
        await tx.lease.create({ data: { name: 'late', holder: '', expiresAt: later } })
        await wait
      }),
    )
    // The aborted transaction has released the database for the next caller.
    await database.prisma.$transaction((tx) =>
      tx.lease.create({ data: { name: 'next', holder: '', expiresAt: later } }),
    )
    expect(await database.prisma.lease.count()).toBe(1)
  })
})

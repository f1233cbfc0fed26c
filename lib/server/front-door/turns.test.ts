import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import pg from 'pg'
import { expect, it, onTestFinished, vi } from 'vitest'
import { loadRoutes } from '#app/routes.ts'
import type { Database } from '#lib/db/engine/client'
import type { Kind } from '#lib/testing/databases/databases'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { serve } from '#lib/testing/oauth/serve'
import { basic, callback, openPostern, verifier } from '#lib/testing/process/postern'

const { endpoints } = await loadRoutes()

type Exchanged = { request: IncomingMessage }

/**
 * Counts the turns of the event loop from the headers of each request to the last byte of its answer, without those that
 * pass while it waits for PostgreSQL.
 */
function countTurns(database?: Database) {
  let turn = 0
  let isOver = false
  /** The number of open PostgreSQL statements. Turns during a statement are not counted. */
  let asked = 0
  const next = () => {
    if (asked === 0) turn += 1
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  if (database?.kind === 'postgresql') {
    const { pool } = database
    const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>
    const counted = async (...given: unknown[]) => {
      asked += 1
      return query(...given).finally(() => {
        asked -= 1
      })
    }
    Object.assign(pool, { query: counted })
  }
  const begun = new Map<IncomingMessage, number>()
  const turns: number[] = []
  const begin = (event: unknown) => void begun.set((event as Exchanged).request, turn)
  const finish = (event: unknown) => {
    const { request } = event as Exchanged
    turns.push(turn - (begun.get(request) ?? 0))
    begun.delete(request)
  }
  diagnostics.subscribe('http.server.request.start', begin)
  diagnostics.subscribe('http.server.response.finish', finish)
  onTestFinished(() => {
    isOver = true
    diagnostics.unsubscribe('http.server.request.start', begin)
    diagnostics.unsubscribe('http.server.response.finish', finish)
  })
  return { turns, isInRequest: () => begun.size > 0 }
}

async function setUp(kind: Kind = 'sqlite') {
  const postern = await openPostern({ kind })
  const { send, close } = await serve(postern.context, endpoints)
  onTestFinished(async () => {
    close()
    await postern.close()
  })
  const { issuer } = postern.context.config
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...basic }
  const post = (path: string, fields: Record<string, string>) =>
    send(issuer + path, { method: 'POST', headers: form, body: String(new URLSearchParams(fields)) })
  const get = (path: string, headers = {}) => send(issuer + path, { headers })
  return { postern, post, get }
}

/** Returns the requests that apps send most; each can be sent once. */
async function hotRequests({ postern, post, get }: Awaited<ReturnType<typeof setUp>>) {
  const { access_token, refresh_token } = await getTokens(postern)
  const exchange = { grant_type: 'authorization_code', redirect_uri: callback, code_verifier: verifier }
  const code = await postern.approve()
  // The first request of each kind loads what it needs, such as the registration of its app.
  await post('/oauth2/introspect', { token: 'unknown' })
  return {
    userinfo: () => get('/userinfo', { authorization: `Bearer ${access_token}` }),
    introspection: () => post('/oauth2/introspect', { token: access_token }),
    refresh: () => post('/oauth2/token', { grant_type: 'refresh_token', refresh_token }),
    exchange: () => post('/oauth2/token', { ...exchange, code }),
  }
}

it.each(['/oauth2/jwks', '/.well-known/openid-configuration'])(
  'answers %s in the turn that read the request, once the answer is kept',
  async (path) => {
    const { get } = await setUp()
    const etag = (await get(path)).headers.get('etag') ?? ''
    const { turns } = countTurns()
    expect((await get(path)).status).toBe(200)
    const unchanged = await get(path, { 'if-none-match': etag })
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    // The answer is written at the end of the turn, where the count goes up.
    expect(turns).toEqual([1, 1, 1])
  },
)

it('sends PostgreSQL one statement for userinfo and introspection, and two for a refresh and an exchange', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const requests = Object.entries(await hotRequests(await setUp('postgresql')))
  const counts: Record<string, number> = {}
  for (const [name, send] of requests) {
    query.mockClear()
    expect([name, (await send()).status]).toEqual([name, 200])
    counts[name] = query.mock.calls.length
  }
  expect(counts).toEqual({ userinfo: 1, introspection: 1, refresh: 2, exchange: 2 })
})

/** Sends each request, headers and form in one write, and expects its answer after `expected` turns. */
async function expectTurns(
  requests: Awaited<ReturnType<typeof hotRequests>>,
  expected: Record<keyof typeof requests, number>,
  turns: number[],
) {
  for (const name of Object.keys(expected) as (keyof typeof expected)[]) {
    expect([name, (await requests[name]()).status]).toEqual([name, 200])
    expect([name, turns.at(-1)]).toEqual([name, expected[name]])
  }
}

it('reads the database, commits and answers in the turn that read the request', async () => {
  const requests = await hotRequests(await setUp())
  const { turns } = countTurns()
  await expectTurns(requests, { userinfo: 1, introspection: 1, refresh: 1, exchange: 1 }, turns)
})

it('takes a turn for each statement on PostgreSQL, and one for the answer', async () => {
  const site = await setUp('postgresql')
  const requests = await hotRequests(site)
  const { turns } = countTurns(site.postern.context.database)
  await expectTurns(requests, { userinfo: 2, introspection: 2, refresh: 3, exchange: 3 }, turns)
})

it.each<Kind>(['sqlite', 'postgresql'])(
  'answers on %s without a Request, Response, Headers, stream or URL',
  async (kind) => {
    const site = await setUp(kind)
    const documents = ['/oauth2/jwks', '/.well-known/openid-configuration'].map(
      (path) => [path, () => site.get(path)] as const,
    )
    // The second exchange of the preparation starts the thread that signs, with a URL.
    await hotRequests(site)
    const requests = [...Object.entries(await hotRequests(site)), ...documents]
    // The first request builds a document; the next ones get the kept answer.
    for (const [, send] of documents) await send()
    const { isInRequest } = countTurns()
    const made: string[] = []
    for (const name of ['Request', 'Response', 'Headers', 'ReadableStream', 'URL', 'URLSearchParams'] as const) {
      const Real = globalThis[name] as new (...given: unknown[]) => object
      const construct = (_: object, given: unknown[]) => {
        if (isInRequest()) made.push(name)
        return new Real(...given)
      }
      vi.stubGlobal(name, new Proxy(Real, { construct }))
    }
    onTestFinished(() => void vi.unstubAllGlobals())
    for (const [name, send] of requests) {
      expect([name, (await send()).status, made]).toEqual([name, 200, []])
    }
  },
)

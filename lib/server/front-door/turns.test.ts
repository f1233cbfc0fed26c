import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { loadRoutes } from '#app/routes.ts'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { serve } from '#lib/testing/oauth/serve'
import { basic, callback, openPostern, verifier } from '#lib/testing/process/postern'

const { endpoints } = await loadRoutes()

type Exchanged = { request: IncomingMessage }

/** Counts the turns of the event loop from the headers of each request to the last byte of its answer. */
function countTurns() {
  let turn = 0
  let isOver = false
  const next = () => {
    turn += 1
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  const begun = new Map<IncomingMessage, number>()
  const counts: number[] = []
  const begin = (event: unknown) => void begun.set((event as Exchanged).request, turn)
  const finish = (event: unknown) => void counts.push(turn - (begun.get((event as Exchanged).request) ?? 0))
  diagnostics.subscribe('http.server.request.start', begin)
  diagnostics.subscribe('http.server.response.finish', finish)
  onTestFinished(() => {
    isOver = true
    diagnostics.unsubscribe('http.server.request.start', begin)
    diagnostics.unsubscribe('http.server.response.finish', finish)
  })
  return counts
}

async function setUp() {
  const postern = await openPostern()
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

it.each(['/oauth2/jwks', '/.well-known/openid-configuration'])(
  'answers %s in the turn that read the request, once the answer is kept',
  async (path) => {
    const { get } = await setUp()
    await get(path)
    const counts = countTurns()
    expect((await get(path)).status).toBe(200)
    // The answer is written at the end of the turn, where the count goes up.
    expect(counts).toEqual([1])
  },
)

it('answers userinfo and introspection in the turn that read the request, and a commit in the next one', async () => {
  const { postern, post, get } = await setUp()
  const { access_token, refresh_token } = await getTokens(postern)
  const code = await postern.approve()
  const ask = {
    userinfo: () => get('/userinfo', { authorization: `Bearer ${access_token}` }),
    introspection: () => post('/oauth2/introspect', { token: access_token }),
    refresh: () => post('/oauth2/token', { grant_type: 'refresh_token', refresh_token }),
    exchange: () =>
      post('/oauth2/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: callback,
        code_verifier: verifier,
      }),
  }
  // The first request of each kind loads what it needs, such as the registration of its app.
  await post('/oauth2/introspect', { token: 'unknown' })
  const counts = countTurns()
  const turns: Record<string, number> = {}
  for (const [name, send] of Object.entries(ask)) {
    expect([name, (await send()).status]).toEqual([name, 200])
    turns[name] = counts.at(-1) ?? 0
  }
  // A form may arrive one turn after the headers.
  expect(turns.userinfo).toBeLessThanOrEqual(1)
  expect(turns.introspection).toBeLessThanOrEqual(2)
  expect(turns.refresh).toBeLessThanOrEqual(3)
  expect(turns.exchange).toBeLessThanOrEqual(3)
})

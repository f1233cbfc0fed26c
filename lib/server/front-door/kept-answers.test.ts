import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { textResponse } from '#lib/http/lean'
import { closeFrontDoors, openFrontDoor } from '#lib/testing/process/front-door'
import type { Lateness } from './admission.ts'
import type { RouteModule } from './route-table.ts'

const shared = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }
const inTime: Lateness = { milliseconds: 0, standstill: undefined }
const privately = { 'content-type': 'application/json', 'cache-control': 'no-store' }
let calls: string[]
beforeEach(() => {
  calls = []
})
afterEach(closeFrontDoors)

function count(headers: Record<string, string>, status = 200): RouteModule {
  const answer = (request: Request) => {
    calls.push(request.url)
    return textResponse(`{"call":${calls.length}}`, { status, headers: { ...headers } })
  }
  return { GET: answer, POST: answer }
}

it('calls the handler once for many clients, each of which gets its own request id', async () => {
  const { ask, metrics } = await openFrontDoor({}, { '/keys': count(shared) })
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('/keys')))
  answers.push(await ask('/keys'))
  expect(new Set(answers.map(({ text: body, headers }) => body + headers['cache-control'])).size).toBeLessThanOrEqual(8)
  const before = calls.length
  const [first, second] = [await ask('/keys'), await ask('/keys')]
  expect(calls.length).toBe(before)
  expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id'])
  expect(first.headers).toMatchObject({ ...shared, 'x-content-type-options': 'nosniff', etag: second.headers.etag })
  expect(first.headers.date).toBeDefined()
  await expect.poll(() => metrics.registry.metrics()).toMatch(/route="\/keys",method="GET",status="200"\} 11/)
})

it.each<[string, (headers: Headers) => void]>([
  ['appended', (headers) => headers.append('set-cookie', 'secret=1')],
  ['set', (headers) => headers.set('set-cookie', 'secret=1')],
])('keeps no answer with a cookie that was %s', async (_, add) => {
  const { GET } = count(shared)
  const answer = async (request: Request) => {
    const response = (await GET?.(request)) as Response
    add(response.headers)
    return response
  }
  const { ask } = await openFrontDoor({}, { '/keys': { GET: answer } })
  for (const call of [1, 2]) {
    const { headers, text: body } = await ask('/keys')
    expect([body, headers['set-cookie'], headers.etag]).toEqual([`{"call":${call}}`, ['secret=1'], undefined])
    expect(headers['content-type']).toBe('application/json')
  }
})

it('answers 304 to a client that has the answer', async () => {
  const { ask } = await openFrontDoor({}, { '/keys': count(shared) })
  const { headers } = await ask('/keys')
  const etag = String(headers.etag)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await ask('/keys', { headers: { 'if-none-match': known } })
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', etag])
  }
  for (const known of ['"other"', '', etag.slice(1), 'x'.repeat(20_000)])
    expect((await ask('/keys', { headers: { 'if-none-match': known } })).status).toBe(200)
})

it('answers HEAD with the header fields of GET, whichever comes first', async () => {
  const { ask } = await openFrontDoor({}, { '/keys': count(shared), '/more': count(shared) })
  for (const [path, methods] of [
    ['/keys', ['GET', 'HEAD']],
    ['/more', ['HEAD', 'GET']],
  ] as const) {
    const before = calls.length
    const [one, other] = [await ask(path, { method: methods[0] }), await ask(path, { method: methods[1] })]
    const fieldsOf = ({ headers }: typeof one) => ({ ...headers, date: '', 'x-request-id': '' })
    expect(fieldsOf(one)).toEqual(fieldsOf(other))
    expect(one.headers.etag).toBeDefined()
    expect([one, other].map(({ text: content }) => content.length > 0)).toEqual(methods.map((name) => name === 'GET'))
    expect(Number(one.headers['content-length'])).toBeGreaterThan(0)
    expect(calls.length).toBe(before + 1)
    const known = await ask(path, { method: 'HEAD', headers: { 'if-none-match': String(one.headers.etag) } })
    expect([known.status, known.text, known.headers.etag]).toEqual([304, '', one.headers.etag])
    expect(known.headers['content-length']).toBeUndefined()
  }
})

it('calls the handler of HEAD if the route has one', async () => {
  const head = () => textResponse('', { headers: { ...shared, 'x-own': 'yes' } })
  const own: RouteModule = { ...count(shared), HEAD: head }
  const { ask } = await openFrontDoor({}, { '/keys': own })
  expect((await ask('/keys', { method: 'HEAD' })).headers['x-own']).toBe('yes')
  expect((await ask('/keys')).text).toBe('{"call":1}')
})

it('keeps no answer while the machine is suspended, when the monotonic clock stands still', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { ask } = await openFrontDoor({}, { '/keys': count(shared) }, () => inTime)
  await ask('/keys')
  vi.setSystemTime(Date.now() + 3_600_000)
  await ask('/keys')
  expect(calls).toHaveLength(2)
})

it('answers although the event loop is late, because a refusal would cost as much', async () => {
  let lateness = inTime
  const { ask } = await openFrontDoor({}, { '/keys': count(shared), '/own': count(privately) }, () => lateness)
  await ask('/keys')
  lateness = { ...inTime, standstill: { pages: 0 } }
  expect((await ask('/own')).status).toBe(503)
  expect((await ask('/keys')).status).toBe(200)
})

it('calls the handler again for another method, a query and an answer that no cache may keep', async () => {
  const routes = { '/keys': count(shared), '/own': count(privately), '/broken': count(shared, 500) }
  const { ask } = await openFrontDoor({}, routes)
  await ask('/keys')
  for (const [path, method] of [
    ['/keys?x=1', 'GET'],
    ['/keys?x=1', 'GET'],
    ['/keys', 'POST'],
    ['/own', 'GET'],
    ['/own', 'GET'],
    ['/broken', 'GET'],
    ['/broken', 'GET'],
  ] as const) {
    const before = calls.length
    await ask(path, { method })
    expect([path, method, calls.length]).toEqual([path, method, before + 1])
  }
})

it('refuses another host and a repeated Host header although the answer is kept', async () => {
  const { ask, port } = await openFrontDoor({}, { '/keys': count(shared) })
  expect((await ask('/keys')).status).toBe(200)
  expect((await ask('/keys', { host: 'localhost:3001' })).status).toBe(404)
  expect((await ask('/keys', { host: 'evil.example' })).status).toBe(421)
  const socket = connect(port, '127.0.0.1', () =>
    socket.write('GET /keys HTTP/1.1\r\nHost: localhost:3000\r\nHost: localhost:3000\r\nConnection: close\r\n\r\n'),
  )
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
})

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { listen, portOf } from '#lib/server/listen'
import { makeLog } from '#lib/server/observe/log'
import { makeMetrics } from '#lib/server/observe/metrics'
import { readConfig } from '#lib/server/settings/config'
import { type Lateness, watchDelay } from './admission.ts'
import { usualPatience } from './deadline.ts'
import { makeFrontDoor } from './front-door.ts'
import { makeWatch } from './watch.ts'

const paths = {
  page: '/page',
  step: '/step',
  picture: '/picture',
  avatar: '/oauth2/picture',
  authorize: '/oauth2/authorize',
  token: '/oauth2/token',
  health: '/readyz',
}

const module = { GET: async () => new Response('here'), POST: async () => new Response('here') }

/** Starts a front door that believes `delay`. Returns a function that sends a request, and the port. */
async function openDoor(lateness: () => Lateness) {
  const config = readConfig({ LOG_LEVEL: 'silent' })
  const context = {
    config,
    log: makeLog('silent'),
    metrics: makeMetrics(),
    database: { trouble: { since: () => false } },
  }
  const routes = (...known: string[]) => ({
    find: (asked: string) =>
      known.includes(asked)
        ? { template: asked, module: { ...module, isPicture: asked.endsWith('/picture') } }
        : undefined,
  })
  const door = makeFrontDoor(
    context as unknown as Parameters<typeof makeFrontDoor>[0],
    {
      endpoints: routes(paths.authorize, paths.token, paths.avatar),
      steps: routes(paths.step, paths.picture),
      pages: routes(paths.page),
      health: routes(paths.health),
      page: async (_, outgoing) => void outgoing.end('here'),
    },
    makeWatch(context),
    usualPatience,
    lateness,
  )
  const server = await listen({ host: '127.0.0.1', port: 0 }, door)
  onTestFinished(() => void server.close())
  const ask = async (path: string, accept: string, method = 'GET') => {
    const host = path.startsWith('/oauth2') ? 'localhost:3000' : 'localhost:3001'
    const [answer] = (await once(
      request({ port: portOf(server), path, method, headers: { host, accept, connection: 'close' } }).end(),
      'response',
    )) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
  }
  return { ask, port: portOf(server) }
}

/** Starts a front door whose event loop claims to be late. Returns the status of each path. */
async function statusesAt(milliseconds: number, standstill?: Lateness['standstill']) {
  const { ask } = await openDoor(() => ({ milliseconds, standstill }))
  const statuses = Object.fromEntries(
    await Promise.all(Object.entries(paths).map(async ([name, path]) => [name, (await ask(path, 'text/html')).status])),
  )
  return { statuses, ask }
}

function block(milliseconds: number) {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

it('admits everything while the event loop turns', async () => {
  const { statuses } = await statusesAt(900)
  expect(new Set(Object.values(statuses))).toEqual(new Set([200]))
})

it('refuses pages and forms first, with the time to try again', async () => {
  const { statuses, ask } = await statusesAt(1_100)
  expect(statuses).toEqual({ page: 503, step: 503, picture: 200, avatar: 200, authorize: 503, token: 200, health: 200 })
  const page = await ask(paths.page, 'text/html')
  expect(Number(page.headers['retry-after'])).toBeGreaterThanOrEqual(3)
  // The page reloads by itself, at the time that is random for each client.
  expect(page.headers.refresh).toBe(page.headers['retry-after'])
  expect(page.text).toContain('This page reloads automatically')
})

it('tells a person whose form was refused to send it again, and does not reload', async () => {
  const { ask } = await openDoor(() => ({ milliseconds: 1_100, standstill: undefined }))
  const answer = await ask(paths.step, 'text/html', 'POST')
  expect([answer.status, answer.headers.refresh]).toEqual([503, undefined])
  expect(answer.text).toContain('doesn’t count as a failed attempt')
  expect(answer.text).toContain('reload this page and let your browser send the form again')
})

it.each([
  ['HEAD', paths.page, 'text/html'],
  ['GET', paths.page, '*/*'],
  ['GET', paths.token, '*/*'],
  ['POST', paths.token, 'text/html'],
])(
  'says when to try again, and reloads nothing, for %s %s of a client that accepts %s',
  async (method, path, accept) => {
    const { ask } = await openDoor(() => ({ milliseconds: 3_100, standstill: undefined }))
    const { status, headers } = await ask(path, accept, method)
    expect([status, headers.refresh]).toEqual([503, undefined])
    expect(headers['retry-after']).toMatch(/^([3-9]|10)$/)
  },
)

it('shows pages and pictures just after the process stood still, but only eight pages, and refuses possible repetitions', async () => {
  const { statuses, ask } = await statusesAt(0, { pages: 0 })
  expect(statuses).toEqual({ page: 200, step: 503, picture: 200, avatar: 200, authorize: 503, token: 503, health: 200 })
  const pictures = await Promise.all(Array.from({ length: 200 }, () => ask(paths.picture, 'image/*')))
  expect(new Set(pictures.map(({ status }) => status))).toEqual(new Set([200]))
  const more = await Promise.all(Array.from({ length: 200 }, () => ask(paths.page, 'text/html')))
  expect(more.filter(({ status }) => status === 200)).toHaveLength(7)
})

it('refuses tokens last, in JSON, and health never', async () => {
  const { statuses, ask } = await statusesAt(3_100)
  expect(statuses).toEqual({ page: 503, step: 503, picture: 503, avatar: 503, authorize: 503, token: 503, health: 200 })
  const { headers, text: body } = await ask(paths.token, '*/*')
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  expect(JSON.parse(body)).toMatchObject({ error: 'temporarily_unavailable' })
})

it('notices an event loop that is late in every turn, and not one long task', async () => {
  const delay = watchDelay()
  block(400)
  expect(delay().milliseconds).toBeLessThan(50)
  const stop = setInterval(() => block(250), 1)
  onTestFinished(() => clearInterval(stop))
  await expect.poll(() => delay().milliseconds, { timeout: 20_000 }).toBeGreaterThan(50)
  clearInterval(stop)
  await expect.poll(() => delay().milliseconds, { timeout: 20_000 }).toBeLessThan(50)
})

it('refuses a request that waited while the process stood still, because its client may have repeated it', async () => {
  const { ask, port } = await openDoor(watchDelay(1_000))
  expect((await ask(paths.token, '*/*')).status).toBe(200)
  const [token, page] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  await Promise.all([once(token, 'connect'), once(page, 'connect')])
  token.write(`GET ${paths.token} HTTP/1.1\r\nhost: localhost:3000\r\nconnection: close\r\n\r\n`)
  page.write(`GET ${paths.page} HTTP/1.1\r\nhost: localhost:3001\r\nconnection: close\r\n\r\n`)
  // The kernel has both requests before the process goes on.
  block(1_500)
  expect(await text(token)).toMatch(/^HTTP\/1\.1 503 /)
  expect(await text(page)).toMatch(/^HTTP\/1\.1 200 /)
  await expect.poll(async () => (await ask(paths.token, '*/*')).status, { timeout: 10_000 }).toBe(200)
})

it('notices that the machine was suspended, which only the wall clock shows', async () => {
  const delay = watchDelay()
  expect(delay().standstill).toBeUndefined()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect(delay().standstill).toEqual({ pages: 0 })
  await expect.poll(() => delay().standstill, { timeout: 10_000 }).toBeUndefined()
})

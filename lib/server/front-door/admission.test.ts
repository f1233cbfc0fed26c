import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { listen, portOf } from '#lib/server/listen'
import { makeLog } from '#lib/server/observe/log'
import { makeMetrics } from '#lib/server/observe/metrics'
import { readConfig } from '#lib/server/settings/config'
import { watchDelay } from './admission.ts'
import { usualPatience } from './deadline.ts'
import { makeFrontDoor } from './front-door.ts'
import { makeWatch } from './watch.ts'

const paths = {
  page: '/page',
  step: '/step',
  authorize: '/oauth2/authorize',
  token: '/oauth2/token',
  health: '/readyz',
}

const module = { GET: async () => new Response('here') }

/** Starts a front door that believes `delay`. Returns a function that sends a request, and the port. */
async function openDoor(delay: () => number) {
  const config = readConfig({ LOG_LEVEL: 'silent' })
  const context = {
    config,
    log: makeLog('silent'),
    metrics: makeMetrics(),
    database: { trouble: { since: () => false } },
  }
  const routes = (...known: string[]) => ({
    find: (asked: string) => (known.includes(asked) ? { template: asked, module } : undefined),
  })
  const door = makeFrontDoor(
    context as unknown as Parameters<typeof makeFrontDoor>[0],
    {
      endpoints: routes(paths.authorize, paths.token),
      steps: routes(paths.step),
      pages: routes(paths.page),
      health: routes(paths.health),
      page: async (_, outgoing) => void outgoing.end('here'),
    },
    makeWatch(context),
    usualPatience,
    delay,
  )
  const server = await listen({ host: '127.0.0.1', port: 0 }, door)
  onTestFinished(() => void server.close())
  const ask = async (path: string, accept: string) => {
    const host = path.startsWith('/oauth2') ? 'localhost:3000' : 'localhost:3001'
    const [answer] = (await once(
      get({ port: portOf(server), path, headers: { host, accept, connection: 'close' } }),
      'response',
    )) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
  }
  return { ask, port: portOf(server) }
}

/** Starts a front door whose event loop claims to be late. Returns the status of each path. */
async function statusesAt(milliseconds: number) {
  const { ask } = await openDoor(() => milliseconds)
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
  expect(statuses).toEqual({ page: 503, step: 503, authorize: 503, token: 200, health: 200 })
  const page = await ask(paths.page, 'text/html')
  expect(Number(page.headers['retry-after'])).toBeGreaterThanOrEqual(3)
  expect(page.text).toContain('<html')
})

it('refuses tokens last, in JSON, and health never', async () => {
  const { statuses, ask } = await statusesAt(3_100)
  expect(statuses).toEqual({ page: 503, step: 503, authorize: 503, token: 503, health: 200 })
  const { headers, text: body } = await ask(paths.token, '*/*')
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  expect(JSON.parse(body)).toMatchObject({ error: 'temporarily_unavailable' })
})

it('notices an event loop that is late in every turn, and not one long task', async () => {
  const delay = watchDelay()
  block(400)
  expect(delay()).toBeLessThan(50)
  const stop = setInterval(() => block(250), 1)
  onTestFinished(() => clearInterval(stop))
  await expect.poll(delay, { timeout: 20_000 }).toBeGreaterThan(50)
  clearInterval(stop)
  await expect.poll(delay, { timeout: 20_000 }).toBeLessThan(50)
})

it('refuses a request that waited while the process stood still, because its client may have repeated it', async () => {
  const { ask, port } = await openDoor(watchDelay(1_000))
  expect((await ask(paths.token, '*/*')).status).toBe(200)
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const request = `GET ${paths.token} HTTP/1.1\r\nhost: localhost:3000\r\nconnection: close\r\n\r\n`
  // The kernel has the whole request before the process goes on.
  socket.write(request)
  block(1_500)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 503 /)
  await expect.poll(async () => (await ask(paths.token, '*/*')).status, { timeout: 10_000 }).toBe(200)
})

it('notices that the machine was suspended, which only the wall clock shows', async () => {
  const delay = watchDelay()
  expect(delay()).toBeLessThan(1_000)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect(delay()).toBe(Number.POSITIVE_INFINITY)
  await expect.poll(delay, { timeout: 10_000 }).toBeLessThan(1_000)
})

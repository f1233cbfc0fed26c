import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { Lateness } from '#lib/server/front-door/admission'
import { makeFrontDoor } from '#lib/server/front-door/front-door'
import type { RouteModule } from '#lib/server/front-door/route-table'
import { makeWatch } from '#lib/server/front-door/watch'
import { listen, portOf } from '#lib/server/listen'
import { makeLog } from '#lib/server/observe/log'
import { makeMetrics } from '#lib/server/observe/metrics'
import { readConfig } from '#lib/server/settings/config'

const running: { close(): void; closeAllConnections(): void }[] = []

/** Closes the servers that a test has opened. */
export function closeFrontDoors() {
  for (const server of running.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
}

const endpoint: RouteModule = {
  GET: (request) => {
    const [client, local] = ['x-postern-client', 'x-postern-local'].map((name) => request.headers.get(name))
    return new Response(JSON.stringify({ url: request.url, client, local }))
  },
  POST: async (request) => new Response((await request.text()).length.toString()),
}
const broken: RouteModule = {
  GET: () => {
    throw new Error('secret detail')
  },
}

/** Opens a real server with one endpoint, a failing endpoint, a health check and one page. */
export async function openFrontDoor(
  env: Record<string, string> = {},
  more: Record<string, RouteModule> = {},
  lateness?: () => Lateness,
) {
  const config = readConfig({ ISSUER: 'http://localhost:3000', ACCOUNT_URL: 'http://localhost:3001', ...env })
  const lines: string[] = []
  const log = makeLog('debug', { write: (line: string) => void lines.push(line) })
  const metrics = makeMetrics()
  const context = { config, log, metrics } as Parameters<typeof makeFrontDoor>[0]
  const routes: Record<string, RouteModule> = { '/endpoint': endpoint, '/broken': broken, ...more }
  const find = (path: string) => (routes[path] ? { template: path, module: routes[path] } : undefined)
  const health = (path: string) => (path === '/healthz' ? { template: path, module: endpoint } : undefined)
  const shown = (path: string) => (path === '/' ? { template: path, module: {} } : undefined)
  const page = async (_: unknown, outgoing: { end(text: string): void }) => outgoing.end('a page')
  const door = makeFrontDoor(
    context,
    { endpoints: { find }, steps: { find: () => undefined }, pages: { find: shown }, health: { find: health }, page },
    makeWatch(context),
    undefined,
    lateness,
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

/** Sends raw bytes. Returns the first line of the response. */
export function askRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (data) => {
      socket.destroy()
      resolve(String(data).split('\r\n')[0] ?? '')
    })
    socket.on('error', reject)
  })
}

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { freePorts } from '#lib/testing/process/free-ports'
import { makeStock } from './postern-stock.ts'
import { startProcess } from './process.ts'
import { type Contestant, discoverEndpoints, type Server } from './server.ts'

/** Starts the server as `npm start` does; the process keeps its id. */
const serverArgs = ['bin/start.mjs']

/** Postern as `npm start` runs it, without the demo. */
export const frontDoor: Contestant = {
  name: 'Postern',
  start: () => startPostern(() => serverArgs),
}

/** The same build behind Next's own server and router. */
export const plainNext: Contestant = {
  name: 'plain `next start`',
  start: () =>
    startPostern((port) => [
      'node_modules/next/dist/bin/next',
      'start',
      '--hostname',
      '127.0.0.1',
      '--port',
      String(port),
    ]),
}

/** The settings of a measured Postern server. */
function settings(folder: string, [issuer = 0, account = 0, relay = 0]: number[]): Record<string, string> {
  return {
    ISSUER: `http://localhost:${issuer}`,
    ACCOUNT_URL: `http://localhost:${account}`,
    LISTEN_ISSUER: `127.0.0.1:${issuer}`,
    LISTEN_ACCOUNT: `127.0.0.1:${account}`,
    RELAY_LISTEN: `127.0.0.1:${relay}`,
    DATA_DIR: folder,
    DEMO: '0',
  }
}

/** Starts Postern with additional settings. Sign-ins use `accountPort`. */
export async function startFrontDoor(more: Record<string, string>): Promise<Server & { accountPort: number }> {
  const ports = await freePorts(3)
  return { ...(await startPostern(() => serverArgs, more, ports)), accountPort: ports[1] as number }
}

async function startPostern(
  args: (port: number) => string[],
  more: Record<string, string> = {},
  given?: number[],
): Promise<Server> {
  if (existsSync(resolve(import.meta.dirname, '../.env')))
    throw new Error('The measured server would read the settings and the database of .env. Move that file away first.')
  const ports = given ?? (await freePorts(3))
  const [port = 0, accountPort = 0] = ports
  const origin = `http://localhost:${port}`
  const env = (folder: string) => ({ ...settings(folder, ports), ...more })
  const server = await startProcess(args(port), `${origin}/readyz`, env)
  const endpoints = await discoverEndpoints(origin)
  const databaseUrl = `file:${server.folder}/postern.db`
  return {
    process: server,
    port,
    host: `localhost:${port}`,
    endpoints,
    signIn: `http://localhost:${accountPort}/start?request=`,
    prepare: (kind, count) => makeStock(databaseUrl, origin + endpoints.token, kind, count),
  }
}

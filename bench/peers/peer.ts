import { once } from 'node:events'
import { freePorts } from '#lib/testing/process/free-ports'
import { type ServerProcess, startProcess } from '../process.ts'
import { type Contestant, discoverEndpoints, type Server, type Stock } from '../server.ts'

/** node-oidc-provider with its state in Maps. */
export const memoryPeer: Contestant = { name: 'oidc-provider, in memory', start: () => startPeer('memory') }

/** node-oidc-provider with durable state like Postern's: SQLite, WAL, synchronous FULL. */
export const durablePeer: Contestant = { name: 'oidc-provider, durable SQLite', start: () => startPeer('durable') }

async function startPeer(kind: 'memory' | 'durable'): Promise<Server> {
  const [port = 0] = await freePorts(1)
  const origin = `http://localhost:${port}`
  const args = ['bench/peers/peer-process.ts', kind]
  const server = await startProcess(args, `${origin}/.well-known/openid-configuration`, (folder) => ({
    PORT: String(port),
    FOLDER: folder,
  }))
  return {
    process: server,
    port,
    host: `localhost:${port}`,
    endpoints: await discoverEndpoints(origin),
    signIn: '/interaction/',
    prepare: (stock, count) => ask(server, { kind: stock, count }),
  }
}

async function ask({ child }: ServerProcess, message: object): Promise<Stock> {
  child.send(message)
  const [stock] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [undefined])])
  if (!stock) throw new Error('The peer ended while it made authorizations.')
  return stock
}

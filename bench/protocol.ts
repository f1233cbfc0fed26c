import { askDiscovery, askKeys } from './discovery.ts'
import type { Row } from './measure.ts'
import { floor } from './peers/floor.ts'
import { durablePeer, memoryPeer } from './peers/peer.ts'
import { frontDoor } from './postern.ts'
import type { Server, Stock } from './server.ts'
import type { Workload } from './workload.ts'

/**
 * Compares every endpoint that an app's server calls with node-oidc-provider; the token endpoint also with its lower
 * bound.
 */
export function protocolRows(): Row[] {
  const all = [frontDoor, memoryPeer, durablePeer]
  return [
    { name: 'discovery', contestants: all, workload: askDiscovery },
    { name: 'JWKS', contestants: all, workload: askKeys },
    { name: 'code exchange', contestants: [...all, floor], workload: exchangeCodes },
    { name: 'refresh', contestants: [...all, floor], workload: refresh },
    { name: 'userinfo', contestants: all, workload: askUserinfo },
    { name: 'introspection', contestants: all, workload: introspect },
  ]
}

async function exchangeCodes(server: Server, requests: number): Promise<Workload> {
  const stock = await server.prepare('codes', requests)
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    redirect_uri: stock.redirectUri,
    code_verifier: stock.verifier,
  })
  return {
    ...postAsClient(server.endpoints.token, stock),
    body: `${form}&code={value}`,
    use: 'once',
    mustContain: '"id_token"',
  }
}

async function refresh(server: Server): Promise<Workload> {
  const stock = await server.prepare('refreshTokens', liveTokens)
  const body = 'grant_type=refresh_token&refresh_token={value}'
  return { ...postAsClient(server.endpoints.token, stock), body, use: 'chain', mustContain: '"id_token"' }
}

async function askUserinfo(server: Server): Promise<Workload> {
  const { values } = await server.prepare('userinfoTokens', liveTokens)
  const headers = { authorization: 'Bearer {value}' }
  return { method: 'GET', path: server.endpoints.userinfo, headers, values, use: 'cycle', mustContain: '"sub"' }
}

async function introspect(server: Server): Promise<Workload> {
  const stock = await server.prepare('introspectionTokens', liveTokens)
  const as = postAsClient(server.endpoints.introspection, stock)
  return { ...as, body: 'token={value}', use: 'cycle', mustContain: '"active":true' }
}

/**
 * Number of people whose tokens are in use at the same time, and the maximum number of connections of a refresh run.
 */
const liveTokens = 1000

function postAsClient(path: string, { client, values }: Stock) {
  const pair = `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`
  const headers = { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
  return { method: 'POST', path, headers, values } as const
}

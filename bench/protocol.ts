import { createHash, randomBytes } from 'node:crypto'
import { askDiscovery, askKeys } from './discovery.ts'
import type { Row } from './measure.ts'
import { floor } from './peers/floor.ts'
import { hydraAt } from './peers/hydra.ts'
import { keycloakAt } from './peers/keycloak.ts'
import { durablePeer, memoryPeer } from './peers/peer.ts'
import { frontDoor } from './postern.ts'
import { onPostgres, onPostgresBySocket } from './postern-on-postgres.ts'
import { makeProofKey, type ProofKey } from './proofs.ts'
import type { Contestant, Server, Stock } from './server.ts'
import type { Workload } from './workload.ts'

/** Compares every endpoint that an app's server calls with node-oidc-provider, and the hot ones with the floor. */
export function protocolRows(): Row[] {
  const all = [frontDoor, memoryPeer, durablePeer]
  const hot = [frontDoor, onPostgresBySocket, onPostgres, memoryPeer, durablePeer, floor]
  return [
    ...cachedRows([...all, floor]),
    ...hotRows(hot),
    { name: pushRow, contestants: all, workload: pushAndAuthorize },
    { name: 'DPoP refresh', contestants: all, workload: refreshWithProof },
    { name: 'DPoP userinfo', contestants: all, workload: askUserinfoWithProof },
  ]
}

/**
 * Compares Postern on PostgreSQL with Keycloak and Hydra, where their places are named: the folder of Keycloak's
 * distribution in KEYCLOAK_HOME, Hydra's program in HYDRA. Returns no row without them.
 */
export function serverRows(env: NodeJS.ProcessEnv = process.env): Row[] {
  const { KEYCLOAK_HOME, HYDRA } = env
  const others = [...(KEYCLOAK_HOME ? [keycloakAt(KEYCLOAK_HOME)] : []), ...(HYDRA ? [hydraAt(HYDRA, 'ES256')] : [])]
  if (others.length === 0) return []
  // Of these requests, only a refresh signs a token, so the kind of key changes no other row.
  const asInstalled = HYDRA ? [hydraAt(HYDRA, 'its own key')] : []
  // Keycloak and Hydra issue codes to browsers only.
  const rows = hotRows([onPostgres, ...others]).filter(({ name }) => name !== 'code exchange')
  return rows.map((row) => ({
    ...row,
    name: `${row.name} on PostgreSQL`,
    contestants: row.name === 'refresh' ? [...row.contestants, ...asInstalled] : row.contestants,
    firstWarmUp: 60,
  }))
}

/** The rows whose profile shows where the time of a request goes. */
export const profiledRows = (): Row[] => [
  ...cachedRows([frontDoor, floor]),
  ...hotRows([frontDoor, onPostgresBySocket, floor]),
  { name: pushRow, contestants: [frontDoor], workload: pushAndAuthorize },
]

const pushRow = 'PAR + authorize'

/** The documents that any cache may keep. */
const cachedRows = (contestants: Contestant[]): Row[] => [
  { name: 'discovery', contestants, workload: askDiscovery },
  { name: 'JWKS', contestants, workload: askKeys },
]

/** The requests that apps send most, to each of the servers. */
export const hotRows = (contestants: Contestant[]): Row[] => [
  { name: 'code exchange', contestants, workload: exchangeCodes },
  { name: 'refresh', contestants, workload: refresh },
  { name: 'userinfo', contestants, workload: askUserinfo },
  { name: 'introspection', contestants, workload: introspect },
]

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
  return { ...as, port: server.introspectionPort, body: 'token={value}', use: 'cycle', mustContain: '"active":true' }
}

/** Half of the requests push, the other half open a pushed request in a browser without a session. */
async function pushAndAuthorize(server: Server): Promise<Workload> {
  const stock = await server.prepare('codes', 1)
  const { client, redirectUri, scope, verifier } = stock
  const body = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    state: randomBytes(16).toString('base64url'),
    nonce: randomBytes(16).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const authorize = {
    path: `${server.endpoints.authorization}?${new URLSearchParams({ client_id: client.id })}`,
    redirect: server.signIn,
  }
  return {
    ...postAsClient(server.endpoints.push, { ...stock, values: [] }),
    ...{ body: String(body), use: 'push', authorize, mustContain: '"request_uri"' },
  }
}

async function refreshWithProof(server: Server, requests: number): Promise<Workload> {
  const plain = await refresh(server)
  const proofs = proofsFor(server, makeProofKey(), plain.path, requests)
  return { ...plain, headers: { ...plain.headers, dpop: '{proof}' }, proofs, mustContain: '"DPoP"' }
}

async function askUserinfoWithProof(server: Server, requests: number): Promise<Workload> {
  const { values, proofKey } = await server.prepare('boundTokens', liveTokens)
  if (!proofKey) throw new Error('The tokens are not bound.')
  const headers = { authorization: 'DPoP {value}', dpop: '{proof}' }
  const path = server.endpoints.userinfo
  const proofs = { ...proofsFor(server, proofKey, path, requests), ofToken: true }
  return { method: 'GET', path, headers, values, use: 'cycle', proofs, mustContain: '"sub"' }
}

const proofsFor = ({ host }: Server, key: ProofKey, path: string, count: number) => ({
  key,
  url: `http://${host}${path}`,
  count,
  ofToken: false,
})

/**
 * Number of people whose tokens are in use at the same time, and the maximum number of connections of a refresh run.
 */
const liveTokens = 1000

function postAsClient(path: string, { client, values }: Stock) {
  const pair = `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`
  const headers = { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
  return { method: 'POST', path, headers, values } as const
}

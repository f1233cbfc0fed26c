import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { freePorts } from '#lib/testing/process/free-ports'
import { startProgram } from '../process.ts'
import { type Contestant, discoverEndpoints, type Server, type Stock, type StockKind } from '../server.ts'
import { json, send } from './ask.ts'
import { type HydraAccess, signInAtHydra } from './hydra-sign-in.ts'
import { fewAtOnce, people, startOwnDatabase } from './own-database.ts'

/** The key that signs ID tokens: an ES256 key, as at the other servers, or the RSA key of 4,096 bits that Hydra makes itself. */
type Key = 'ES256' | 'its own key'

/** Ory Hydra in production mode on a PostgreSQL of its own. `file` is its program. */
export const hydraAt = (file: string, key: Key): Contestant => ({
  name: `Hydra on PostgreSQL${key === 'ES256' ? '' : `, ${key}`}`,
  async start() {
    const database = await startOwnDatabase()
    const server = await startHydra(file, database.url, key)
    const stop = async () => {
      await server.process.stop()
      await database.stop()
    }
    return { ...server, process: { ...server.process, stop } }
  },
})

const client = { id: 'bench', secret: randomBytes(32).toString('base64url') }
const redirectUri = 'https://app.example/callback'
const scope = 'openid offline profile email'

async function startHydra(file: string, database: URL, key: Key): Promise<Server> {
  const [port = 0, adminPort = 0] = await freePorts(2)
  const settings = settingsOf(database, port, adminPort)
  await promisify(execFile)(file, ['migrate', 'sql', '--read-from-env', '--yes'], {
    env: { ...process.env, ...settings },
  })
  const [origin, admin] = [`http://localhost:${port}`, `http://localhost:${adminPort}/admin`]
  const program = await startProgram({
    file,
    args: ['serve', 'all'],
    readyUrl: `http://localhost:${adminPort}/health/ready`,
    env: () => settings,
  })
  // Hydra signs with its newest key.
  if (key === 'ES256')
    await send(`${admin}/keys/hydra.openid.id-token`, json('POST', { alg: key, kid: 'es256', use: 'sig' }))
  await send(`${admin}/clients`, json('POST', clientMetadata))
  return {
    process: program,
    port,
    host: `localhost:${port}`,
    endpoints: { ...(await discoverEndpoints(origin)), introspection: '/admin/oauth2/introspect' },
    introspectionPort: adminPort,
    signIn: '',
    prepare: (kind) => makeStock({ origin, admin, client, redirectUri, scope }, kind),
  }
}

/** A proxy in front ends TLS, so the issuer has https and the listeners do not. */
const settingsOf = (database: URL, port: number, adminPort: number): Record<string, string> => ({
  // By default, Hydra opens two connections for each core. A refresh needs two, so 32 at once can wait for each other.
  DSN: `${database.href}?sslmode=disable&max_conns=40&max_idle_conns=40`,
  URLS_SELF_ISSUER: `https://localhost:${port}`,
  URLS_LOGIN: 'http://localhost:1/login',
  URLS_CONSENT: 'http://localhost:1/consent',
  SERVE_PUBLIC_HOST: '127.0.0.1',
  SERVE_PUBLIC_PORT: String(port),
  SERVE_ADMIN_HOST: '127.0.0.1',
  SERVE_ADMIN_PORT: String(adminPort),
  SECRETS_SYSTEM: randomBytes(32).toString('base64url'),
  OAUTH2_PKCE_ENFORCED: 'true',
  LOG_LEVEL: 'warn',
  SQA_OPT_OUT: 'true',
})

const clientMetadata = {
  client_id: client.id,
  client_secret: client.secret,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  scope,
  token_endpoint_auth_method: 'client_secret_basic',
}

/** Signs every person in and returns the tokens. Hydra prepares no codes. */
async function makeStock(access: HydraAccess, kind: StockKind): Promise<Stock> {
  const values = await fewAtOnce(people, async (person) => {
    const tokens = await signInAtHydra(access, person)
    return String(kind === 'refreshTokens' ? tokens.refresh_token : tokens.access_token)
  })
  return { values, client, redirectUri, scope, verifier: '' }
}

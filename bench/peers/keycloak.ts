import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from '#lib/testing/process/free-ports'
import { type Program, startProgram } from '../process.ts'
import { type Contestant, discoverEndpoints, type Server, type Stock, type StockKind } from '../server.ts'
import { form, json, send } from './ask.ts'
import { fewAtOnce, people, startOwnDatabase } from './own-database.ts'

/** Keycloak in production mode on a PostgreSQL of its own. `home` is the folder of its distribution. */
export const keycloakAt = (home: string): Contestant => ({
  name: 'Keycloak on PostgreSQL',
  async start() {
    const database = await startOwnDatabase()
    // A build changes the distribution, so it gets a copy.
    const copy = await mkdtemp(join(tmpdir(), 'postern-bench-'))
    const removeCopy = () => rmSync(copy, { recursive: true, force: true })
    process.once('exit', removeCopy)
    await cp(home, copy, { recursive: true })
    const server = await startKeycloak(copy, database.url)
    const stop = async () => {
      await server.process.stop()
      await database.stop()
      process.off('exit', removeCopy)
      await rm(copy, { recursive: true, force: true })
    }
    return { ...server, process: { ...server.process, stop } }
  },
})

const realm = 'bench'
const client = { id: 'bench', secret: randomBytes(32).toString('base64url') }
const redirectUri = 'https://app.example/callback'
const scope = 'openid profile email'
const password = randomBytes(16).toString('base64url')

async function startKeycloak(home: string, database: URL): Promise<Server> {
  const script = join(home, 'bin/kc.sh')
  await promisify(execFile)(script, ['build', '--db=postgres'])
  const [port = 0] = await freePorts(1)
  const origin = `http://localhost:${port}`
  const program = await startProgram(makeProgram(script, database, port))
  await makeRealm(origin)
  const endpoints = await discoverEndpoints(`${origin}/realms/${realm}`)
  return {
    // The script waits for the server, its only child.
    process: { ...program, pid: childOf(program.pid) },
    port,
    host: `localhost:${port}`,
    endpoints,
    signIn: '',
    prepare: (kind) => makeStock(origin + endpoints.token, kind),
  }
}

function makeProgram(file: string, database: URL, port: number): Program {
  const origin = `http://localhost:${port}`
  const place = ['--http-enabled=true', '--http-host=127.0.0.1', `--http-port=${port}`, `--hostname=${origin}`]
  const jdbc = `jdbc:postgresql://${database.host}${database.pathname}`
  const stored = [`--db-url=${jdbc}`, `--db-username=${database.username}`, '--db-password=unused']
  const { JAVA_HOME } = process.env
  return {
    file,
    args: ['start', '--optimized', '--cache=local', ...place, ...stored],
    readyUrl: `${origin}/realms/master/.well-known/openid-configuration`,
    env: () => ({
      ...(JAVA_HOME && { JAVA_HOME }),
      KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
      KC_BOOTSTRAP_ADMIN_PASSWORD: password,
    }),
    // The first start creates the tables.
    patience: 300,
  }
}

/** Creates a realm that does the same as Postern: ES256, rotation of refresh tokens, a confidential client with PKCE. */
async function makeRealm(origin: string) {
  const asAdmin = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password }
  const { access_token } = await send(`${origin}/realms/master/protocol/openid-connect/token`, form(asAdmin))
  const about = {
    realm,
    enabled: true,
    defaultSignatureAlgorithm: 'ES256',
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
    // Outlasts a whole run: the benchmark does not measure expiry.
    accessTokenLifespan: 3600,
    // Only the preparation hashes passwords.
    passwordPolicy: 'hashAlgorithm(pbkdf2-sha512) and hashIterations(1)',
    clients: [
      {
        clientId: client.id,
        secret: client.secret,
        redirectUris: [redirectUri],
        attributes: { 'pkce.code.challenge.method': 'S256' },
        // Only the preparation signs people in by their passwords, without a page.
        directAccessGrantsEnabled: true,
      },
    ],
    users: people.map(({ username, email, name }) => ({
      username,
      email,
      firstName: name,
      lastName: 'Bench',
      emailVerified: true,
      enabled: true,
      credentials: [{ type: 'password', value: password, temporary: false }],
    })),
  }
  await send(`${origin}/admin/realms`, json('POST', about, { authorization: `Bearer ${access_token}` }))
}

/** Signs every person in and returns the tokens. Keycloak prepares no codes. */
async function makeStock(tokenEndpoint: string, kind: StockKind): Promise<Stock> {
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`
  const values = await fewAtOnce(people, async ({ username }) => {
    const fields = { grant_type: 'password', username, password, scope }
    const tokens = await send(tokenEndpoint, form(fields, { authorization }))
    return String(kind === 'refreshTokens' ? tokens.refresh_token : tokens.access_token)
  })
  return { values, client, redirectUri, scope, verifier: '' }
}

/** Returns the only child of a process. Linux only; elsewhere the process itself. */
function childOf(pid: number): number {
  if (process.platform !== 'linux') return pid
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])
}

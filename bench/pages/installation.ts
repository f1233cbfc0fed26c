import { type Database, openDatabase } from '#lib/db/engine/client'
import { makeAuthenticator } from '#lib/testing/browser/authenticator'
import { ServerProcess } from '../../e2e/server-process.ts'
import { Visitor } from './visitor.ts'

export const password = 'wicket orchard wall'
const redirectUri = 'https://planner.example/callback'

/**
 * Starts a server with a team, two apps and people, whose hashes cost next to nothing. `profile` is a folder for a CPU
 * profile of the server.
 */
export async function startInstallation(people: object[], profile?: string): Promise<ServerProcess> {
  // The server and the command that adds people must hash alike.
  const noHashes = new URL('./no-hashes.ts', import.meta.url).href
  await import(noHashes)
  const options = [
    // Of the limits of `npm start`, NODE_OPTIONS takes this one only.
    '--max-semi-space-size=16',
    `--import=${noHashes}`,
    ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []),
  ]
  const open = { TEAMS: 'open', SENSITIVE_SCOPES: 'review', TRUST_PROXY: '127.0.0.1' }
  const server = await ServerProcess.start({ NODE_OPTIONS: options.join(' '), ...open })
  await server.apply({ teams: [{ id: 'bench', name: 'Bench', apps: [app('planner'), app('calendar')] }], people })
  return server
}

const app = (name: string) => ({
  client_id: name,
  name: `The ${name}`,
  kind: 'public',
  homepage: 'https://planner.example',
  email: 'optional',
  scopes: ['openid', 'name', 'nickname', 'picture', 'locale', 'email'],
  redirect_uris: [redirectUri],
})

/** Returns the address of an authorization request of one of the apps. */
export const requestOf = ({ issuer }: ServerProcess, client: string, more: Record<string, string> = {}) =>
  `${issuer}/oauth2/authorize?${new URLSearchParams({
    client_id: client,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid name nickname email',
    state: 'state',
    nonce: 'nonce',
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
    ...more,
  })}`

/** The fields of a consent with a relay address. */
export const allowed = { action: 'allow', email_choice: 'hidden', scope: 'email' }

/** Signs a person in, and returns the person's browser. */
export async function signIn(server: ServerProcess, username: string): Promise<Visitor> {
  const visitor = new Visitor(server.accountUrl)
  await visitor.submit(await visitor.open('/signin?to=/account'), '/signin/submit', { username, password })
  return visitor
}

/** Makes a person an owner of the team, signs the person in, and returns the person's browser. */
export async function signInOwner(server: ServerProcess, username: string): Promise<Visitor> {
  await changeDatabase(server, async ({ prisma }) => {
    const { id: personId } = await prisma.person.findUniqueOrThrow({ where: { username } })
    await prisma.member.create({ data: { teamId: 'bench', personId, role: 'owner', createdAt: new Date() } })
  })
  return signIn(server, username)
}

/** Makes a change that no form of the visitor makes. */
export async function changeDatabase(server: ServerProcess, change: (database: Database) => Promise<unknown>) {
  const database = await openDatabase(server.databaseUrl)
  try {
    await change(database)
  } finally {
    await database.close()
  }
}

/**
 * Returns the browser of a new operator, who signs up with a passkey, because operators need a second factor, and the
 * page that follows the sign-up.
 */
export async function signUpOperator(server: ServerProcess) {
  const visitor = new Visitor(server.accountUrl)
  const username = 'overseer'
  const page = await visitor.open('/signup?to=/account')
  const { html } = await visitor.post('/passkey/options', { use: 'signup', username })
  const { options, state } = JSON.parse(html)
  const credential = makeAuthenticator(server.accountUrl).create(options)
  const codes = await visitor.submit(page, '/signup/submit', { username, password: '', state, credential })
  await server.cli('operator', 'add', username)
  return { visitor, codes }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '#lib/testing/process/free-ports'
import { ServerProcess } from '../e2e/server-process.ts'
import { Browser } from './browser.ts'
import { makeInitialAccessToken } from './initial-access-token.ts'
import { type Library, libraries } from './libraries.ts'
import { prepareToolchain, type Toolchain, toolchains, versionOf } from './toolchains.ts'

const help = `npm run clients [-- FILTER...]

Signs in with client libraries from npm, PyPI, Go, crates.io, Maven and Debian at a Postern of its own. The libraries have their default
settings, and the apps have the profile "oidc". A filter is a part of a library's name or of its language (node, python, go, rust, java,
debian).
Ends with 1 if a library fails. A library without its toolchain is skipped and counted.`

const person = { username: 'clara', password: 'correct horse battery', name: 'Clara', email: 'clara@example.org' }
const secret = 'a-secret-of-the-client-tests-000000000000000'
const profileScopes = 'name nickname picture biography gender birthdate region preferred_username locale'

type Result = { library: Library; version: string; state: 'passed' | 'skipped' | 'failed'; reason?: string }
/** The settings of every program. */
type Service = { ISSUER: string; INITIAL_ACCESS_TOKEN: string }
type App = { library: Library; toolchain: Toolchain; clientId: string; url: string }

const filters = process.argv.slice(2)
if (filters.includes('--help')) console.log(help)
else process.exitCode = await runClients()

/** Runs the chosen libraries and prints their results. Returns the exit code. */
async function runClients(): Promise<number> {
  const chosen = libraries.filter(
    ({ name, toolchain }) => filters.length === 0 || filters.some((one) => `${toolchain} ${name}`.includes(one)),
  )
  const ports = await freePorts(chosen.length)
  const apps = chosen.map((library, at): App => {
    const toolchain = toolchains.find(({ name }) => name === library.toolchain) as Toolchain
    return { library, toolchain, clientId: `client-${at}`, url: `http://localhost:${ports[at]}` }
  })
  const registered = apps.filter(({ library }) => !library.registersItself)
  const postern = await ServerProcess.start({ TEAMS: 'open' })
  try {
    await postern.apply({
      teams: [{ id: 'clients', name: 'Clients', apps: registered.map(registrationOf) }],
      people: [person],
    })
    const initialAccessToken = await makeInitialAccessToken(postern.databaseUrl, 'clients', person.username)
    const results: Result[] = []
    for (const toolchain of toolchains) {
      const own = apps.filter((app) => app.toolchain === toolchain)
      if (own.length > 0)
        results.push(
          ...(await runToolchain(toolchain, own, { ISSUER: postern.issuer, INITIAL_ACCESS_TOKEN: initialAccessToken })),
        )
    }
    report(results)
    return results.length === 0 || results.some(({ state }) => state === 'failed') ? 1 : 0
  } finally {
    await postern.remove()
  }
}

function registrationOf({ library, clientId, url }: App) {
  const { kind = 'confidential', callback = '/callback', registration } = library
  return {
    client_id: clientId,
    name: library.name,
    kind,
    profile: 'oidc',
    redirect_uris: [url + callback],
    scopes: ['openid', ...profileScopes.split(' '), 'email'],
    email: 'optional',
    ...(kind === 'confidential' && { client_secret: secret }),
    ...registration,
  }
}

async function runToolchain(toolchain: Toolchain, apps: App[], service: Service): Promise<Result[]> {
  const { skipped, failed } = await prepareToolchain(toolchain)
  const results: Result[] = []
  for (const app of apps) {
    const { library } = app
    const base = { library, version: versionOf(toolchain, library.name) }
    if (skipped) results.push({ ...base, state: 'skipped', reason: skipped })
    else {
      const reason = failed ?? (await signInAt(app, service))
      results.push(reason ? { ...base, state: 'failed', reason } : { ...base, state: 'passed' })
    }
  }
  return results
}

/** Starts the app and signs in. Returns the reason of a failure; undefined after a success. */
async function signInAt({ library, toolchain, clientId, url }: App, service: Service): Promise<string | undefined> {
  const [command, args] = toolchain.start(library.program)
  const settings = { ...service, CLIENT_ID: clientId, CLIENT_SECRET: secret, APP_URL: url, PORT: new URL(url).port }
  const child = spawn(command, args, { cwd: toolchain.folder, env: { ...process.env, ...settings } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  try {
    await waitFor(url, () => child.exitCode !== null)
    const shown = await new Browser(person).signIn(url + (library.start ?? '/sign-in'))
    const claims = library.claimsOf?.(JSON.parse(shown)) ?? JSON.parse(shown)
    return isRight(claims) ? undefined : `The app shows ${shown}`
  } catch (fault) {
    return `${fault}\n${output.slice(-3000)}`.trim()
  } finally {
    process.off('exit', kill)
    const gone = child.exitCode === null ? once(child, 'close') : undefined
    kill()
    await gone
  }
}

function isRight({ sub, name, preferred_username, email }: Record<string, unknown>): boolean {
  const isNamed = name === person.name || preferred_username === person.username
  return typeof sub === 'string' && sub !== '' && isNamed && email === person.email
}

async function waitFor(url: string, hasEnded: () => boolean) {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    if (hasEnded()) throw new Error('The app ended before the sign-in.')
    const isUp = await fetch(`${url}/favicon.ico`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await sleep(100)
  }
  throw new Error('The app did not start within a minute.')
}

function report(results: Result[]) {
  const rows = results.map(({ library, version, state, reason }) => [
    library.registersItself ? `${library.name}, registers itself` : library.name,
    version,
    'oidc',
    state === 'skipped' ? `skipped: ${reason}` : state,
  ])
  const lines = [['library', 'version', 'profile', 'result'], ['---', '---', '---', '---'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const render = (line: string[]) => `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  console.log(lines.map(render).join('\n'))
  for (const { library, state, reason } of results)
    if (state === 'failed') console.log(`\n✗ ${library.name}: ${reason}`)
  const count = (state: Result['state']) => `${results.filter((one) => one.state === state).length} ${state}`
  console.log(`\n${count('passed')}, ${count('skipped')}, ${count('failed')}`)
}

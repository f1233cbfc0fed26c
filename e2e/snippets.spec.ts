import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, dirname, extname, join, resolve } from 'node:path'
import { calculateJwkThumbprint } from 'jose'
import type { TeamApp } from '#lib/console/app/store'
import { shellLiteral } from '#lib/console/snippets/literal'
import { type Snippet, secretPlaceholder } from '#lib/console/snippets/snippet'
import { snippetApp, snippetsFor } from '#lib/console/snippets/snippets'
import { freePorts } from '#lib/testing/process/free-ports'
import { findNode } from '../bin/find-node.mjs'
import { isInstalled, npmCi } from '../bin/install.mjs'
import { run } from '../bin/run.mjs'
import { expect, test } from './postern.ts'
import { signIn } from './sign-in.ts'

const root = resolve(import.meta.dirname, '..')
const clients = join(root, 'clients/node')
const packages = join(clients, 'node_modules')
const person = { username: 'sam', password: 'correct horse battery', name: 'Sam <L.>', email: 'sam@example.org' }
const secret = `it's a "secret" with $HOME in it`

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicKey.export({ format: 'jwk' })
const jwks = { keys: [{ ...jwk, kid: await calculateJwkThumbprint(jwk) }] }

/** The libraries in npm, with a kind and a profile of app that each of them fits. */
const cases = [
  { id: 'openid-client', kind: 'confidential', profile: 'standard' },
  { id: 'openid-client-5', kind: 'confidential', profile: 'standard' },
  { id: 'oauth4webapi', kind: 'confidential', profile: 'standard' },
  { id: 'auth-js', kind: 'confidential', profile: 'standard', path: '/auth/callback/postern' },
  { id: 'passport', kind: 'confidential', profile: 'oidc' },
  { id: 'openid-client', kind: 'assertion', profile: 'standard' },
  { id: 'openid-client', kind: 'assertion', profile: 'fapi2' },
  { id: 'openid-client', kind: 'public', profile: 'oidc' },
  { id: 'oidc-client-ts', kind: 'public', profile: 'standard' },
  { id: 'appauth-js', kind: 'public', profile: 'standard' },
]

const running: ChildProcess[] = []
const servers: Server[] = []
let folder = ''

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-snippets-'))
  if (isInstalled(clients)) return
  const [command, args, env] = npmCi(clients) as [string, string[], NodeJS.ProcessEnv]
  expect(await run(command, args, { cwd: clients, env })).toMatchObject({ code: 0 })
})

test.afterEach(() => {
  for (const child of running.splice(0)) child.kill()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

for (const [at, { id, kind, profile, path = '/callback' }] of cases.entries()) {
  test(`signs a person in with the code for ${id}: ${kind}, ${profile}`, async ({ page, postern }) => {
    const [port = 0] = await freePorts(1)
    const origin = `http://localhost:${port}`
    const declaration = {
      client_id: `snippet-${at}`,
      name: 'Snippet',
      kind,
      profile,
      redirect_uris: [origin + path],
      scopes: ['openid', 'name', 'email'],
      email: 'optional',
      ...(kind === 'confidential' && { client_secret: secret }),
      ...(kind === 'assertion' && { jwks }),
    }
    await postern.apply({ teams: [{ id: 'snippets', name: 'Snippets', apps: [declaration] }], people: [person] })
    const snippet = snippetOf(declaration, postern.issuer, id)
    if (snippet.run) await runProgram(snippet, at)
    else await servePage(snippet, port)
    await page.goto(origin + (id === 'auth-js' ? '/auth/signin' : '/'))
    if (id === 'passport') await page.goto(`${origin}/sign-in`)
    else await page.locator('a, button', { hasText: 'Sign in' }).first().click()
    await signIn(page, person)
    await page.locator('#consent-allow').click()
    await page.waitForURL(`${origin}/**`)
    if (id === 'auth-js') await page.goto(`${origin}/auth/session`)
    await expect(page.locator('body')).toContainText('Sam <L.>')
    await expect(page.locator('body')).toContainText(/"(sub|id)":"[\w-]{20,}"/)
  })
}

function snippetOf(declaration: Record<string, unknown>, issuer: string, id: string): Snippet {
  const { client_id, kind, profile, scopes } = declaration
  const app = { id: client_id, kind, profile, scopes, declaration, keys: kind === 'assertion' ? keys : [] } as unknown
  const site = { issuer, serviceName: 'Postern' }
  const found = snippetsFor(snippetApp(app as TeamApp, site)).find((snippet) => snippet.id === id)
  if (!found) throw new Error(`No snippet of ${id} fits.`)
  return found
}
const keys = jwks.keys.map(({ kid, ...rest }) => ({ kid, jwk: JSON.stringify({ kid, ...rest }) }))

/** Saves the text of a snippet, and runs its command. */
async function runProgram({ id, file, code, run: command = '' }: Snippet, at: number) {
  const home = join(folder, String(at))
  await mkdir(join(home, 'node_modules'), { recursive: true })
  await writeFile(join(home, file), code)
  await writeFile(join(home, 'private.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }))
  for (const name of ['@auth', 'express', 'express-session', 'oauth4webapi', 'passport', 'passport-openidconnect'])
    await symlink(join(packages, name), join(home, 'node_modules', name), 'dir')
  const library = id === 'openid-client-5' ? id : 'openid-client'
  await symlink(join(packages, library), join(home, 'node_modules/openid-client'), 'dir')
  const line = command.replace(shellLiteral(secretPlaceholder), () => shellLiteral(secret))
  const env = { PATH: [dirname(findNode(root)), process.env.PATH].join(delimiter), NODE_ENV: 'development' as const }
  const child = spawn('sh', ['-c', `exec env ${line}`], { cwd: home, env })
  running.push(child)
  let output = ''
  await new Promise<void>((ready, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
        if (output.includes('Open http')) ready()
      })
    child.once('exit', () => fail(new Error(`${file} ended:\n${output}`)))
  })
}

/** Serves a page that runs the text of a snippet, with the modules that a bundler would include. */
async function servePage({ code }: Snippet, port: number) {
  const imports = {
    'oidc-client-ts': '/modules/oidc-client-ts/dist/esm/oidc-client-ts.js',
    'jwt-decode': '/modules/jwt-decode/build/esm/index.js',
    '@openid/appauth': '/modules/@openid/appauth/built/src/index.js',
    'base64-js': '/modules/base64-js/index.js',
  }
  const html = `<!doctype html><title>App</title><script type="importmap">${JSON.stringify({ imports })}</script>
<body><script type="module" src="/sign-in.js"></script>`
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const isScript = pathname === '/sign-in.js' || pathname.startsWith('/modules/')
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    if (pathname.startsWith('/modules/')) response.end(await moduleAt(pathname.slice('/modules/'.length)))
    else response.end(isScript ? code : html)
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(port, 'localhost', done))
}

/** Returns a module as a browser loads it: with the extension, and CommonJS with named exports. */
async function moduleAt(path: string): Promise<string> {
  const text = await readFile(join(packages, extname(path) ? path : `${path}.js`), 'utf8')
  if (!path.startsWith('base64-js')) return text
  return `const exports = {}\n;(() => {${text}})()\nexport const { byteLength, toByteArray, fromByteArray } = exports`
}

import { randomUUID } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { health } from '#app/health.ts'
import { loadRoutes } from '#app/routes.ts'
import { openDatabase } from '#lib/db/engine/client'
import { timeoutsFor } from '#lib/db/engine/timeouts'
import type { Context } from '#lib/server/compose/context'
import { listen, portOf } from '#lib/server/listen'
import type { Kind } from '#lib/testing/databases/databases'
import { getTokens } from '#lib/testing/oauth/get-tokens'
import { basic, openPostern } from '#lib/testing/process/postern'
import { openLine } from '#lib/testing/relay/line'
import { makeFrontDoor } from './front-door.ts'
import { routeTable } from './route-table.ts'
import { makeWatch } from './watch.ts'

const { endpoints, steps } = await loadRoutes()

const ada = { username: 'ada', password: 'correct horse battery' }

type Running = Awaited<ReturnType<typeof setUp>>
type Trouble = { name: string; kind: Kind; begin(running: Running): Promise<unknown>; end(running: Running): unknown }

const pragma = ({ context: { database } }: Running, text: string) =>
  database.kind === 'sqlite' && database.sqlite.driver.pragma(text, { simple: true })
/** Changes the database as its administrator, and ends the open connections of the server. */
async function alter({ admin, url, line }: Running, ...statements: string[]) {
  if (admin.kind !== 'postgresql') throw new Error('This is about PostgreSQL.')
  const connection = await admin.pool.connect()
  for (const statement of statements) await connection.query(statement.replace('{}', new URL(url).pathname.slice(1)))
  connection.release()
  await line?.cut()
  await line?.mend()
}

const troubles: Trouble[] = [
  {
    name: 'SQLite has a full disk',
    kind: 'sqlite',
    begin: async (running) => {
      pragma(running, `max_page_count = ${pragma(running, 'page_count')}`)
      // Fills the existing pages: small rows would still fit, and every sign-in writes one.
      const { prisma } = running.context.database
      const { id: personId } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
      const row = { personId, at: new Date(), kind: 'signed_in', address: '', device: '' }
      const fill = (detail: string) => prisma.activity.create({ data: { id: randomUUID(), ...row, detail } })
      for (const detail of ['x'.repeat(1000), '']) while (await fill(detail).catch(() => undefined));
    },
    end: (running) => pragma(running, 'max_page_count = 1000000'),
  },
  {
    name: 'SQLite is read-only',
    kind: 'sqlite',
    begin: async (running) => pragma(running, 'query_only = ON'),
    end: (running) => pragma(running, 'query_only = OFF'),
  },
  {
    name: 'another process holds the lock of SQLite',
    kind: 'sqlite',
    begin: async ({ admin }) => admin.kind === 'sqlite' && admin.sqlite.driver.exec('BEGIN IMMEDIATE'),
    end: ({ admin }) => admin.kind === 'sqlite' && admin.sqlite.driver.exec('ROLLBACK'),
  },
  {
    name: 'PostgreSQL is away',
    kind: 'postgresql',
    begin: async ({ line }) => line?.cut(),
    end: ({ line }) => line?.mend(),
  },
  {
    name: 'PostgreSQL falls silent',
    kind: 'postgresql',
    begin: async ({ line }) => line?.fallSilent('new ones too'),
    end: ({ line }) => line?.mend(),
  },
  {
    name: 'PostgreSQL is a read-only standby',
    kind: 'postgresql',
    begin: (running) => alter(running, 'ALTER DATABASE {} SET default_transaction_read_only = on'),
    end: (running) =>
      alter(
        running,
        'SET default_transaction_read_only = off',
        'ALTER DATABASE {} RESET default_transaction_read_only',
      ),
  },
  {
    name: 'PostgreSQL has a full disk',
    kind: 'postgresql',
    begin: (running) =>
      alter(
        running,
        `CREATE FUNCTION no_room() RETURNS trigger AS $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$ LANGUAGE plpgsql`,
        `DO $$ DECLARE t text; BEGIN FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
           EXECUTE format('CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON %I EXECUTE FUNCTION no_room()', t); END LOOP; END $$`,
      ),
    end: (running) => alter(running, 'DROP FUNCTION no_room() CASCADE'),
  },
]

/** Starts Postern over HTTP, without Next's pages, on a database that a test can break. */
async function setUp(kind: Kind, timeouts = { ...timeoutsFor(4000, 8), connect: 1000, answer: 1000, lock: 200 }) {
  const first = await openPostern({ kind })
  await first.close()
  const url = first.settings.DATABASE_URL
  const line = kind === 'postgresql' ? await openLine(Number(new URL(url).port)) : undefined
  const env = { ...first.settings, DATABASE_URL: line?.through(url) ?? url }
  const admin = await openDatabase(url)
  const postern = await openPostern({ kind, env, timeouts })
  const { context } = postern
  // Handlers get the context from getContext, which reads this slot.
  const slot = globalThis as { __posternContext?: Promise<Context> | undefined }
  slot.__posternContext = Promise.resolve(context)
  const tables = { endpoints: routeTable(endpoints), steps: routeTable(steps), health: routeTable(health) }
  const doors = { ...tables, pages: routeTable({}), page: () => Promise.reject(new Error('There are no pages here.')) }
  const server = await listen({ host: '127.0.0.1', port: 0 }, makeFrontDoor(context, doors, makeWatch(context)))
  onTestFinished(async () => {
    slot.__posternContext = undefined
    server.close()
    server.closeAllConnections()
    // Ends statements that still wait for PostgreSQL.
    await line?.cut()
    await postern.close()
    await admin.close()
  })
  const ask = (method: string, address: string, form: Record<string, string> = {}, headers = {}) =>
    send(portOf(server), method, new URL(address), new URLSearchParams(form).toString(), headers)
  return { ...postern, admin, url, line, ask }
}

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; text: string }

function send(port: number, method: string, { host, pathname }: URL, form: string, headers: object): Promise<Answer> {
  const common = { host, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ port, method, path: pathname, headers: { ...common, ...headers } }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      resolve({ status: answer.statusCode, headers: answer.headers, text })
    })
    sent.on('error', reject)
    sent.end(method === 'POST' ? form : undefined)
  })
}

const cookiesOf = ({ headers }: Answer) => (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')

/** Requests every route with each of its methods, as a signed-in person. */
async function askEverything({ ask, context: { config } }: Running, cookie: string) {
  const all = [
    ...Object.entries(endpoints).map(([path, route]) => ({ path: config.issuer + path, route })),
    ...Object.entries(steps).map(([path, route]) => ({ path: config.accountUrl + path, route })),
  ]
  const asked = all.flatMap(({ path, route }) =>
    (['GET', 'POST'] as const)
      .filter((method) => route[method])
      .map(async (method) => {
        const address = path.replace('{}', 'some-thing.webp')
        const form = { ...ada, client_id: 'acme-web', name: 'Ada', to: '/account' }
        const answer = await ask(method, address, form, { cookie, accept: 'text/html' })
        return { what: `${method} ${path}`, ...answer }
      }),
  )
  return Promise.all(asked)
}

it.each(troubles)('answers 503 with Retry-After, never 500, while $name', async ({ name, kind, begin, end }) => {
  const running = await setUp(kind)
  const { ask, context } = running
  const { issuer, accountUrl } = context.config
  const { refresh_token = '' } = await getTokens(running)
  const refresh = () => ask('POST', `${issuer}/oauth2/token`, { grant_type: 'refresh_token', refresh_token }, basic)
  const signIn = (accept: string) => ask('POST', `${accountUrl}/signin/submit`, { ...ada, to: '/account' }, { accept })
  const cookie = cookiesOf(await signIn('text/html'))

  await begin(running)
  const everything = await askEverything(running, cookie)
  const wrong = everything.filter(
    ({ status, headers }) =>
      (status !== 503 && Number(status) >= 500) || (status === 503 && headers['retry-after'] !== '5'),
  )
  expect(wrong.map(({ what, status }) => `${what}: ${status}`)).toEqual([])
  const refused = await refresh()
  // A refresh updates a row in place, which needs no space.
  if (name !== 'SQLite has a full disk') {
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(JSON.parse(refused.text)).toMatchObject({ error: 'temporarily_unavailable' })
  }
  const form = await signIn('text/html')
  expect([form.status, form.headers['retry-after']]).toEqual([503, '5'])
  expect(form.text).toContain('let your browser send the form again')
  expect((await ask('GET', `${issuer}/healthz`)).status).toBe(200)
  expect((await ask('GET', `${issuer}/readyz`)).status).toBe(503)

  await end(running)
  await expect.poll(async () => (await refresh()).status).toBe(200)
  expect(((await signIn('text/html')).status ?? 500) < 400).toBe(true)
})

it('answers 503 to requests that wait for the database longer than ten seconds', async () => {
  const { ask, line, context } = await setUp('postgresql', timeoutsFor(600_000, 8))
  const { issuer, accountUrl } = context.config
  const signIn = () => ask('POST', `${accountUrl}/signin/submit`, { ...ada, to: '/account' })
  const cookie = cookiesOf(await signIn())
  line?.fallSilent('new ones too')
  const upload = (size: number) =>
    ask('POST', `${accountUrl}/account/picture/submit`, { picture: 'x'.repeat(size) }, { cookie })
  const answers = await Promise.all([
    ask('GET', `${issuer}/avatars/0123456789abcdef.webp`),
    ask('POST', `${issuer}/oauth2/token`, { grant_type: 'refresh_token', refresh_token: 'r' }, basic),
    signIn(),
    upload(1),
    upload(300_000),
  ])
  expect(answers.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(answers.map(() => [503, '5']))
})

import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { explainDatabaseFault } from '#lib/cli/open'
import { openDatabase } from '#lib/db/engine/client'
import { openContext } from '#lib/server/compose/context'
import { readConfig } from '#lib/server/settings/config'
import { freshUrl, type Kind } from '#lib/testing/databases/databases'
import { setUpCommandLine } from '#lib/testing/process/command-line'
import { openLine } from '#lib/testing/relay/line'

const file = {
  teams: [
    {
      id: 'acme',
      name: 'Acme',
      apps: [{ client_id: 'acme-web', name: 'Acme', kind: 'public', redirect_uris: ['https://acme.example/cb'] }],
    },
  ],
  people: [{ username: 'ada', password: 'correct horse' }],
}
const reads = [
  ['user', 'list'],
  ['keys', 'list'],
]
const writes = [
  // Records the look at the person.
  ['user', 'show', 'ada'],
  ['user', 'create', 'grace'],
  ['user', 'reset', 'ada'],
  ['user', 'delete', 'ada'],
  ['user', 'delete', 'ada', '--now', '--yes'],
  ['user', 'unlock', 'ada'],
  ['app', 'disable', 'acme-web'],
  ['app', 'remove', 'acme-web', '--yes'],
  ['keys', 'rotate'],
  ['keys', 'retire', 'KID'],
]

/** Prepares a database on which every command would succeed, behind a connection that a test can cut. */
async function setUp(kind: Kind) {
  const url = await freshUrl(kind)
  const line = kind === 'postgresql' ? await openLine(Number(new URL(url).port)) : undefined
  onTestFinished(async () => line?.cut())
  const through = Object.assign(new URL(line?.through(url) ?? url), line ? { password: 'hunter22' } : {}).href
  const { cli, save, dataDir } = setUpCommandLine({ DATABASE_URL: through })
  await (await openContext(readConfig({ DATA_DIR: dataDir, DATABASE_URL: url, LOG_LEVEL: 'silent' }))).close()
  await cli(['apply', save(file)])
  const [{ kid }] = (await cli(['keys', 'rotate'])).answer().slice(-1)
  await countFailure(url)
  // At this time the successor signs, and the tokens of the first key have expired.
  const later = new Date(Date.now() + 15.5 * 86_400_000)
  const run = (words: string[]) =>
    cli(
      words.flatMap((word) => (word === 'KID' ? ['--', kid] : [word])),
      '',
      later,
    )
  return { url, line, run, everyRow: () => everyRow(url) }
}

/** Counts a failed second factor of the person, so that `user unlock` has a wait to end. */
async function countFailure(url: string) {
  const { prisma, close } = await openDatabase(url)
  const { id } = await prisma.person.findFirstOrThrow()
  const until = Date.now() + 30 * 86_400_000
  const held = { points: 200, expire: new Date(until), heldUntil: BigInt(until) }
  await prisma.attempt.create({ data: { key: `factor:person:${id}`, ...held } })
  await close()
}

/** Returns the content of every table. */
async function everyRow(url: string): Promise<string> {
  const database = await openDatabase(url)
  const query = async (sql: string): Promise<unknown[]> =>
    database.kind === 'sqlite' ? database.sqlite.driver.prepare(sql).all() : (await database.pool.query(sql)).rows
  const list =
    database.kind === 'sqlite'
      ? `SELECT name FROM sqlite_master WHERE type = 'table'`
      : `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
  const tables = (await query(list)) as { name: string }[]
  const rows = await Promise.all(tables.map(async ({ name }) => [name, await query(`SELECT * FROM "${name}"`)]))
  await database.close()
  return JSON.stringify(rows.sort(), (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

async function admin(url: string, ...statements: string[]) {
  const database = await openDatabase(url)
  for (const statement of statements) await database.prisma.$executeRawUnsafe(statement)
  await database.close()
}

/** Expects exit code 1 and one sentence below the line that names the database; no answer and no password. */
async function expectOneSentence(run: (words: string[]) => ReturnType<Run>, words: string[], sentence: RegExp) {
  const { stdout, stderr, code } = await run(words)
  const [target, said, ...more] = stderr.trimEnd().split('\n')
  expect({ words, stdout, code, more }).toEqual({ words, stdout: '', code: 1, more: [] })
  expect(target).toMatch(/^Database: /)
  expect(said).toMatch(sentence)
  expect(said).toContain('The database of DATABASE_URL')
  expect(stderr).not.toContain('hunter22')
}
type Run = ReturnType<typeof setUpCommandLine>['cli']

type Trouble = { name: string; commands: string[][]; sentence: RegExp; begin(open: Open): unknown }
type Open = Awaited<ReturnType<typeof setUp>>

const everyTable = (statement: string) =>
  `DO $$ DECLARE t text; BEGIN FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
     EXECUTE format('${statement}', t); END LOOP; END $$`

const postgresTroubles: Trouble[] = [
  {
    name: 'refuses connections',
    commands: [...reads, ...writes],
    sentence: /cannot be reached: nothing listens there/,
    begin: ({ line }) => line?.cut(),
  },
  {
    name: 'does not answer',
    commands: [...reads, ...writes],
    sentence: /does not answer in time/,
    begin: ({ line }) => line?.fallSilent('new ones too'),
  },
  {
    name: 'is a read-only standby',
    commands: writes,
    sentence: /failed before the command was complete/,
    begin: ({ url }) =>
      admin(url, `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET default_transaction_read_only = on`),
  },
  {
    name: 'ends the connection during the first write',
    commands: writes,
    sentence: /failed before the command was complete/,
    begin: ({ url }) =>
      admin(
        url,
        `CREATE FUNCTION end_connection() RETURNS trigger AS $$ BEGIN
           PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$ LANGUAGE plpgsql`,
        everyTable(
          'CREATE TRIGGER end_connection AFTER INSERT OR UPDATE OR DELETE ON %I EXECUTE FUNCTION end_connection()',
        ),
      ),
  },
]

describe('commands on PostgreSQL', () => {
  it.each(postgresTroubles)('answer with one sentence and write nothing when it $name', async (trouble) => {
    const open = await setUp('postgresql')
    const before = await open.everyRow()
    await trouble.begin(open)
    await Promise.all(trouble.commands.map((words) => expectOneSentence(open.run, words, trouble.sentence)))
    expect(await open.everyRow()).toBe(before)
  })

  it('answer with one sentence when the Unix socket does not exist, or belongs to others', async () => {
    const url = 'postgresql://postern:hunter22@localhost/postern?host=/nowhere&password=hunter22'
    const { cli } = setUpCommandLine({ DATABASE_URL: url })
    const sentence =
      /\?host=\/nowhere\) cannot be reached through its Unix socket: connect ENOENT \/nowhere\/\.s\.PGSQL\.5432\. Is it running/
    for (const words of [...reads, ...writes]) await expectOneSentence(cli, words, sentence)
    const refused = Object.assign(new Error('connect EACCES /nowhere/.s.PGSQL.5432'), { code: 'EACCES' })
    expect(explainDatabaseFault(refused, url)).toMatch(/connect EACCES .* check the permissions of its folder\.$/)
  })
})

describe('commands on SQLite', () => {
  it('answer with one sentence when the file is not a database', async () => {
    const { save } = setUpCommandLine()
    const { cli } = setUpCommandLine({ DATABASE_URL: `file:${save('x'.repeat(5000), 'no.db')}` })
    for (const words of [...reads, ...writes]) await expectOneSentence(cli, words, /is not an SQLite database/)
  })

  it('read, or answer with one sentence and write nothing, while another process holds the write lock', async () => {
    const { url, run, everyRow: rows } = await setUp('sqlite')
    const before = await rows()
    const other = new Sqlite(url.slice('file:'.length))
    other.exec('BEGIN IMMEDIATE')
    await Promise.all([
      ...reads.map(async (words) => expect((await run(words)).code).toBe(0)),
      ...writes.map((words) => expectOneSentence(run, words, /failed before the command was complete/)),
    ])
    other.close()
    expect(await rows()).toBe(before)
  })
})

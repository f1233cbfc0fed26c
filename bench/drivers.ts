import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { makeBatches } from '#lib/db/engine/batches'
import { freshDatabaseUrl, startPostgres } from '#lib/testing/databases/postgres-server'
import { median, type Options } from './measure.ts'

type Statement = { name: string; sql: string }
type Ask = (statement: Statement, values: unknown[]) => Promise<Record<string, unknown>[]>
type Driver = { name: string; ask: Ask; close(): Promise<unknown> }

const [rows, connections] = [10_000, 10]

/** The two statements of a refresh, over a table of rows as large as an authorization. */
const read = { name: 'read', sql: 'SELECT id, hash, content FROM entry WHERE id = $1', types: ['text'] }
const change = {
  name: 'change',
  sql: 'UPDATE entry SET hash = $2 WHERE id = $1 AND hash = $3',
  types: ['text', 'text', 'text'],
}

/**
 * Compares `pg` with `postgres` (postgres.js), whose package is in the folder POSTGRES_JS: a read and a change of its row,
 * again and again, by clients in this process. With `batches`, by the code of `lib/db/engine/batches.ts`; without, each
 * statement by itself, which `postgres` sends before the answer to the one before.
 */
export async function compareDrivers({ runs, seconds, connections: clients }: Options): Promise<string> {
  const folder = process.env.POSTGRES_JS
  if (!folder) throw new Error('POSTGRES_JS must name the folder of the npm package postgres.')
  const server = await startPostgres({ durable: true })
  const url = await freshDatabaseUrl(server.url)
  const drivers = [openPg(url), await openPostgresJs(folder, url)]
  const lines = [
    '| statements | driver | read and change, per second | CPU ms of this process for 1,000 |',
    '| --- | --- | --: | --: |',
  ]
  try {
    await fill(url)
    for (const way of ['batches', 'single'] as const) {
      const asks = drivers.map(({ ask }) => ({ rates: [] as number[], work: [] as number[], ask: askBy(way, ask) }))
      for (const { ask } of asks) await run(ask, clients, seconds)
      for (let turn = 0; turn < runs; turn++) {
        for (const { rates, work, ask } of asks) {
          const { rounds, milliseconds, cpu } = await run(ask, clients, seconds)
          rates.push((rounds / milliseconds) * 1000)
          work.push((cpu / rounds) * 1000)
        }
      }
      for (const [at, { rates, work }] of asks.entries()) {
        const figures = [median(rates).toFixed(0), median(work).toFixed(0)]
        lines.push(`| ${[way, drivers[at]?.name, ...figures].join(' | ')} |`)
      }
    }
  } finally {
    for (const driver of drivers) await driver.close()
    await server.stop()
  }
  return lines.join('\n')
}

function openPg(url: string): Driver {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  const ask: Ask = async ({ name, sql }, values) => (await pool.query({ name, text: sql, values })).rows
  return { name: '`pg`', ask, close: () => pool.end() }
}

async function openPostgresJs(folder: string, url: string): Promise<Driver> {
  const { default: connect } = await import(pathToFileURL(join(folder, 'src/index.js')).href)
  const sql = connect(url, { max: connections })
  const ask: Ask = ({ sql: text }, values) => sql.unsafe(text, values, { prepare: true })
  return { name: '`postgres`', ask, close: () => sql.end() }
}

async function fill(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('CREATE TABLE entry (id text PRIMARY KEY, hash text NOT NULL, content text NOT NULL)')
  await client.query(
    `INSERT INTO entry SELECT number::text, 'none', repeat('x', 500) FROM generate_series(1, ${rows}) AS number`,
  )
  await client.query('ANALYZE entry')
  await client.end()
}

type AskOne = (statement: typeof read, values: unknown[]) => Promise<Record<string, unknown> | undefined>
const askBy = (way: 'batches' | 'single', ask: Ask): AskOne =>
  way === 'batches' ? makeBatches(ask) : async (statement, values) => (await ask(statement, values))[0]

/** Lets the clients read and change rows of their own for some seconds. */
async function run(ask: AskOne, clients: number, seconds: number) {
  const began = performance.now()
  const { user, system } = process.cpuUsage()
  const until = began + seconds * 1000
  let rounds = 0
  const client = async (_: unknown, first: number) => {
    for (let at = first; performance.now() < until; at = (at + clients) % rows) {
      const id = String(at + 1)
      const row = await ask(read, [id])
      await ask(change, [id, `hash ${rounds}`, row?.hash])
      rounds += 1
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const used = process.cpuUsage()
  return { rounds, milliseconds: performance.now() - began, cpu: (used.user + used.system - user - system) / 1000 }
}

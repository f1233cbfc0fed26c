import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient as PostgresClient } from './generated/postgresql/client.ts'
import { PrismaClient } from './generated/sqlite/client.ts'
import { openSqlite, type SharedSqlite } from './sqlite.ts'

/** An open database: Prisma for everything, and the driver beneath it for the hot path. */
export type Database = { prisma: PrismaClient; ping(): Promise<void>; close(): Promise<void> } & (
  | { kind: 'sqlite'; sqlite: SharedSqlite }
  | { kind: 'postgresql'; pool: pg.Pool }
)

export type Prisma = PrismaClient

/** Told how long a statement took, waiting included, and by which path it went. */
export type Observe = (path: 'prisma' | 'hot', seconds: number) => void

/** Opens what DATABASE_URL names; the schema must have been applied before. */
export async function openDatabase(url: string, observe: Observe = () => undefined): Promise<Database> {
  return url.startsWith('file:')
    ? openSqliteDatabase(url.slice('file:'.length), observe)
    : openPostgresDatabase(url, observe)
}

/** The folder of an SQLite file must exist before anything opens it; only its owner may look inside. */
export function makeRoomFor(url: string) {
  if (url.startsWith('file:')) mkdirSync(dirname(url.slice('file:'.length)), { recursive: true, mode: 0o700 })
}

async function openSqliteDatabase(file: string, observe: Observe): Promise<Database> {
  const sqlite = await openSqlite(file, observe)
  const prisma = new PrismaClient({ adapter: sqlite.factory })
  return {
    kind: 'sqlite',
    prisma,
    sqlite,
    ping: async () => void sqlite.driver.prepare('SELECT 1').get(),
    async close() {
      await prisma.$disconnect()
      sqlite.close()
    },
  }
}

async function openPostgresDatabase(url: string, observe: Observe): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: 5000,
    statement_timeout: 10_000,
    options: '-c timezone=UTC',
    types: { getTypeParser: utcTimes },
  })
  // An idle connection that the server drops would otherwise end the process; the next query opens a new one.
  pool.on('error', () => undefined)
  timeQueries(pool, observe)
  const prisma = new PostgresClient({ adapter: new PrismaPg(pool) }) as unknown as PrismaClient
  return {
    kind: 'postgresql',
    prisma,
    pool,
    ping: async () => void (await pool.query('SELECT 1')),
    async close() {
      await prisma.$disconnect()
      if (!pool.ended) await pool.end()
    },
  }
}

/** Columns without a zone hold UTC, whatever the zone of this process. */
const utcTimes = ((oid: number, format: 'text') =>
  oid === pg.types.builtins.TIMESTAMP
    ? (text: string) => new Date(`${text.replace(' ', 'T')}Z`)
    : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser

/** Named statements are the hot path; everything else comes from Prisma. */
function timeQueries(pool: pg.Pool, observe: Observe) {
  const ask = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  pool.query = (async (...args: unknown[]) => {
    const began = performance.now()
    try {
      return await ask(...args)
    } finally {
      const path = (args[0] as { name?: string }).name ? 'hot' : 'prisma'
      observe(path, (performance.now() - began) / 1000)
    }
  }) as typeof pool.query
}

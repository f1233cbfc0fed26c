import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type pg from 'pg'
import { keepPrivate, makePrivate } from '#lib/crypto/private-file'
import type { PrismaClient } from '#lib/db/generated/sqlite/client'
import { type Observe, timed } from './observe.ts'
import type { Needs, SharedSqlite } from './sqlite.ts'
import { type Timeouts, timeoutsFor } from './timeouts.ts'
import { makeTrouble, type Trouble } from './trouble.ts'

/** An open database: Prisma for most queries, and the driver below Prisma for the hot path. */
export type Database = { prisma: PrismaClient; trouble: Trouble; close(): Promise<void> } & (
  | { kind: 'sqlite'; sqlite: SharedSqlite }
  | { kind: 'postgresql'; pool: pg.Pool }
)

export type Prisma = PrismaClient

/**
 * Opens the database that DATABASE_URL names. Its migrations must be applied. Loads the driver and the client of that
 * kind only. `onThreadEnd` receives the error that ended the thread for SQLite's checkpoints.
 */
export async function openDatabase(
  url: string,
  observe: Observe = () => undefined,
  limits: Timeouts = timeoutsFor(4000, 20),
  onThreadEnd?: (fault: unknown) => void,
): Promise<Database> {
  return url.startsWith('file:')
    ? openSqliteDatabase(url.slice('file:'.length), { observe, patience: limits.lock, onThreadEnd })
    : openPostgresDatabase(url, observe, limits)
}

/**
 * Creates the folder and the file of an SQLite database, readable by their owner only; SQLite gives its journal files
 * the same mode. Returns the files that other users can still read because another user owns them.
 */
export function createDatabaseFiles(url: string): string[] {
  if (!url.startsWith('file:')) return []
  const file = url.slice('file:'.length)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  makePrivate(file)
  return filesOf(url).filter((one) => !keepPrivate(one))
}

/** Lists the files of an SQLite database: the database and the journal files that SQLite writes beside it. */
export function filesOf(url: string): string[] {
  if (!url.startsWith('file:')) return []
  const file = url.slice('file:'.length)
  return ['', '-wal', '-shm', '-journal'].map((ending) => file + ending)
}

async function openSqliteDatabase(file: string, needs: Omit<Needs, 'trouble'>): Promise<Database> {
  const { PrismaClient } = await import('#lib/db/generated/sqlite/client')
  const { openSqlite } = await import('./sqlite.ts')
  const trouble = makeTrouble()
  const sqlite = await openSqlite(file, { ...needs, trouble })
  const prisma = new PrismaClient({ adapter: sqlite.factory })
  return {
    kind: 'sqlite',
    prisma,
    sqlite,
    trouble,
    async close() {
      await prisma.$disconnect()
      await sqlite.close()
    },
  }
}

async function openPostgresDatabase(url: string, observe: Observe, limits: Timeouts): Promise<Database> {
  const { PrismaClient: PostgresClient } = await import('#lib/db/generated/postgresql/client')
  const { PrismaPg } = await import('@prisma/adapter-pg')
  const { openPool } = await import('./postgres.ts')
  const trouble = makeTrouble()
  const pool = openPool(url, limits, trouble)
  timeQueries(pool, observe)
  const prisma = new PostgresClient({ adapter: new PrismaPg(pool) }) as unknown as PrismaClient
  return {
    kind: 'postgresql',
    prisma,
    pool,
    trouble,
    async close() {
      await prisma.$disconnect()
      if (!pool.ended) await pool.end()
    },
  }
}

/** Reports the duration of each query. The hot path names its queries; queries without a name are Prisma's. */
function timeQueries(pool: pg.Pool, observe: Observe) {
  const ask = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  pool.query = ((...args: unknown[]) => {
    const path = (args[0] as { name?: string }).name ? 'hot' : 'prisma'
    return timed(observe, path, () => ask(...args))
  }) as typeof pool.query
}

/** Returns whether a write violated a unique constraint, without the name of the constraint. */
export const isUniqueConflict = (fault: unknown): boolean => (fault as { code?: unknown }).code === 'P2002'

import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, Transaction } from '@prisma/driver-adapter-utils'
import type Database from 'better-sqlite3'
import type { Observe } from './client.ts'
import { refuseWhenOver } from './request-over.ts'
import { makeSharedCommit } from './shared-commit.ts'
import type { Trouble } from './trouble.ts'
import { makeTurnstile, type Turnstile } from './turnstile.ts'
import { makeWhileLocked, type WhileLocked } from './while-locked.ts'

/** One SQLite connection for Prisma and the hot path; nothing enters while a transaction is open (design §6). */
export type SharedSqlite = {
  driver: Database.Database
  factory: SqlDriverAdapterFactory
  /** Runs a read when no transaction is open, so that nothing uncommitted is seen. */
  read<T>(statement: () => T): Promise<T>
  /** Runs one statement inside the next shared commit and answers after that commit. */
  write<T>(statement: () => T): Promise<T>
  close(): void
}

/**
 * Opens the file and wraps the adapter as shipped, which would let a plain write of one request join, and be lost
 * with, an open transaction of another.
 */
export async function openSqlite(file: string, { observe, patience, trouble }: Needs): Promise<SharedSqlite> {
  // The driver waits for a lock with the event loop stopped; whileLocked waits with the event loop turning.
  const inner = new PrismaBetterSqlite3({ url: `file:${file}`, timeout: 0 }, { timestampFormat: 'unixepoch-ms' })
  const adapter = await inner.connect()
  const driver = (adapter as unknown as { client: Database.Database }).client
  const whileLocked = makeWhileLocked(patience)
  await whileLocked(async () => driver.pragma('journal_mode = WAL'))
  driver.pragma('synchronous = FULL')
  driver.pragma('foreign_keys = ON')
  driver.pragma('temp_store = MEMORY')
  // Two megabytes, the default, would send most reads of a busy installation to the kernel.
  driver.pragma('cache_size = -65536')
  driver.pragma('mmap_size = 268435456')
  const door = makeTurnstile()
  const shared = guard(adapter, driver, { door, whileLocked, observe, trouble })
  const write = makeSharedCommit(driver, door, whileLocked, observe)
  return {
    driver,
    factory: { provider: 'sqlite', adapterName: adapter.adapterName, connect: async () => shared },
    read: (run) => trouble.watch(() => whileLocked(() => passAlone(door, async () => run()))),
    write: (run) => trouble.watch(() => write(run)),
    close: () => driver.close(),
  }
}

type Needs = { observe: Observe; patience: number; trouble: Trouble }
type Gate = Omit<Needs, 'patience'> & { door: Turnstile; whileLocked: WhileLocked }

function guard(adapter: SqlDriverAdapter, driver: Database.Database, { door, whileLocked, observe, trouble }: Gate) {
  const alone = async <T>(run: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    try {
      return await trouble.watch(() => whileLocked(() => passAlone(door, run)))
    } finally {
      observe('prisma', (performance.now() - began) / 1000)
    }
  }
  const shared: SqlDriverAdapter = {
    provider: 'sqlite',
    adapterName: adapter.adapterName,
    queryRaw: (query) => alone(() => adapter.queryRaw(query)),
    executeRaw: (query) => alone(() => adapter.executeRaw(query)),
    executeScript: (script) => alone(async () => adapter.executeScript(script)),
    dispose: async () => undefined,
    startTransaction: () =>
      trouble.watch(() => whileLocked(() => startTransaction(adapter, driver, { door, trouble }))),
  }
  return shared
}

async function passAlone<T>(door: Turnstile, run: () => Promise<T>): Promise<T> {
  const leave = door.isFree() ? undefined : await door.enter()
  try {
    refuseWhenOver()
    return await run()
  } finally {
    leave?.()
  }
}

const statement = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] })

async function startTransaction(
  adapter: SqlDriverAdapter,
  driver: Database.Database,
  { door, trouble }: Pick<Gate, 'door' | 'trouble'>,
) {
  const leave = await door.enter()
  try {
    await adapter.executeRaw(statement('BEGIN IMMEDIATE'))
  } catch (fault) {
    leave()
    throw fault
  }
  const rollBack = () => {
    if (driver.inTransaction) driver.exec('ROLLBACK')
  }
  const inside = <T>(run: () => Promise<T>) =>
    trouble.watch(async () => {
      refuseWhenOver()
      return run()
    })
  const transaction: Transaction = {
    provider: 'sqlite',
    adapterName: adapter.adapterName,
    // Commit and rollback are ours, so that the turnstile opens whatever happens.
    options: { usePhantomQuery: true },
    queryRaw: (query) => inside(() => adapter.queryRaw(query)),
    executeRaw: (query) => inside(() => adapter.executeRaw(query)),
    async commit() {
      try {
        await inside(() => adapter.executeRaw(statement('COMMIT')))
      } catch (fault) {
        rollBack()
        throw fault
      } finally {
        leave()
      }
    },
    async rollback() {
      try {
        rollBack()
      } finally {
        leave()
      }
    },
    createSavepoint: async (name) => void driver.exec(`SAVEPOINT ${name}`),
    rollbackToSavepoint: async (name) => void driver.exec(`ROLLBACK TO ${name}`),
    releaseSavepoint: async (name) => void driver.exec(`RELEASE SAVEPOINT ${name}`),
  }
  return transaction
}

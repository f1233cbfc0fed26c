import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, Transaction } from '@prisma/driver-adapter-utils'
import type Database from 'better-sqlite3'
import { type Observe, timed } from './observe.ts'
import { type Mutex, makeMutex, makeSharedCommit } from './shared-commit.ts'
import { makeWhileLocked, refuseWhenOver, type Trouble, type WhileLocked } from './trouble.ts'

/** One SQLite connection for Prisma and the hot path; every other statement waits while a transaction is open (design §6). */
export type SharedSqlite = {
  driver: Database.Database
  factory: SqlDriverAdapterFactory
  /** Runs a read when no transaction is open, so that it sees committed rows only. */
  read<T>(statement: () => T): Promise<T>
  /** Runs one statement in the next shared commit and resolves after that commit. */
  write<T>(statement: () => T): Promise<T>
  close(): void
}

/**
 * Opens the file and wraps Prisma's adapter. Without the wrapper, a write of one request would join the open
 * transaction of another request and be lost in its rollback.
 */
export async function openSqlite(file: string, { observe, patience, trouble }: Needs): Promise<SharedSqlite> {
  // The driver would block the event loop while it waits for a lock; `whileLocked` waits without blocking it.
  const inner = new PrismaBetterSqlite3({ url: `file:${file}`, timeout: 0 }, { timestampFormat: 'unixepoch-ms' })
  const adapter = await inner.connect()
  const driver = (adapter as unknown as { client: Database.Database }).client
  const whileLocked = makeWhileLocked(patience)
  await whileLocked(async () => driver.pragma('journal_mode = WAL'))
  driver.pragma('synchronous = FULL')
  driver.pragma('foreign_keys = ON')
  driver.pragma('temp_store = MEMORY')
  // With the default cache of two megabytes, most reads of a busy installation would be system calls.
  driver.pragma('cache_size = -65536')
  driver.pragma('mmap_size = 268435456')
  const mutex = makeMutex()
  const shared = guard(adapter, driver, { mutex, whileLocked, observe, trouble })
  const write = makeSharedCommit(driver, mutex, whileLocked, observe)
  return {
    driver,
    factory: { provider: 'sqlite', adapterName: adapter.adapterName, connect: async () => shared },
    read: (run) => trouble.watch(() => whileLocked(() => runAlone(mutex, async () => run()))),
    write: (run) => trouble.watch(() => write(run)),
    close: () => driver.close(),
  }
}

type Needs = { observe: Observe; patience: number; trouble: Trouble }
type Guards = Omit<Needs, 'patience'> & { mutex: Mutex; whileLocked: WhileLocked }

function guard(adapter: SqlDriverAdapter, driver: Database.Database, { mutex, whileLocked, observe, trouble }: Guards) {
  const alone = <T>(run: () => Promise<T>): Promise<T> =>
    timed(observe, 'prisma', () => trouble.watch(() => whileLocked(() => runAlone(mutex, run))))
  const shared: SqlDriverAdapter = {
    provider: 'sqlite',
    adapterName: adapter.adapterName,
    queryRaw: (query) => alone(() => adapter.queryRaw(query)),
    executeRaw: (query) => alone(() => adapter.executeRaw(query)),
    executeScript: (script) => alone(async () => adapter.executeScript(script)),
    dispose: async () => undefined,
    startTransaction: () =>
      trouble.watch(() => whileLocked(() => startTransaction(adapter, driver, { mutex, trouble }))),
  }
  return shared
}

async function runAlone<T>(mutex: Mutex, run: () => Promise<T>): Promise<T> {
  const release = mutex.isFree() ? undefined : await mutex.acquire()
  try {
    refuseWhenOver()
    return await run()
  } finally {
    release?.()
  }
}

const statement = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] })

async function startTransaction(
  adapter: SqlDriverAdapter,
  driver: Database.Database,
  { mutex, trouble }: Pick<Guards, 'mutex' | 'trouble'>,
) {
  const release = await mutex.acquire()
  try {
    await adapter.executeRaw(statement('BEGIN IMMEDIATE'))
  } catch (fault) {
    release()
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
    // The wrapper commits and rolls back, so that the mutex is released on success and on error.
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
        release()
      }
    },
    async rollback() {
      try {
        rollBack()
      } finally {
        release()
      }
    },
    createSavepoint: async (name) => void driver.exec(`SAVEPOINT ${name}`),
    rollbackToSavepoint: async (name) => void driver.exec(`ROLLBACK TO ${name}`),
    releaseSavepoint: async (name) => void driver.exec(`RELEASE SAVEPOINT ${name}`),
  }
  return transaction
}

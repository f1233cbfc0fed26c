import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, Transaction } from '@prisma/driver-adapter-utils'
import type Database from 'better-sqlite3'
import { openCheckpointThread } from './checkpoint-thread.ts'
import { type Observe, timed } from './observe.ts'
import { type Guards, type Mutex, shareTransactions } from './shared-transactions.ts'
import { applySettings } from './sqlite-settings.ts'
import { makeWhileLocked, refuseWhenOver, type Trouble } from './trouble.ts'

/** One SQLite connection for Prisma and the hot path; every other statement waits while a transaction is open (design §6). */
export type SharedSqlite = {
  driver: Database.Database
  factory: SqlDriverAdapterFactory
  /** Runs a read, together with others that wait, when no other transaction is open, so that it sees committed rows only. */
  read<T>(statement: () => T): Promise<T>
  /** Runs one statement in the next shared commit and resolves after that commit. */
  write<T>(statement: () => T): Promise<T>
  /** Adds writes to the count that requests the next checkpoint. `write` counts one, even if its statement changes many rows. */
  countWrites(more: number): void
  close(): Promise<void>
}

/** Writes between two checkpoints of the thread. A write of the hot path changes one or two pages. */
const writesBetween = 200

/**
 * Opens the file and wraps Prisma's adapter. Without the wrapper, a write of one request would join the open
 * transaction of another request and be lost in its rollback.
 */
export async function openSqlite(
  file: string,
  { observe, patience, trouble, onThreadEnd }: Needs,
): Promise<SharedSqlite> {
  // The driver would block the event loop while it waits for a lock; `whileLocked` waits without blocking it.
  const inner = new PrismaBetterSqlite3({ url: `file:${file}`, timeout: 0 }, { timestampFormat: 'unixepoch-ms' })
  const adapter = await inner.connect()
  const driver = (adapter as unknown as { client: Database.Database }).client
  const whileLocked = makeWhileLocked(patience)
  await whileLocked(async () => driver.pragma('journal_mode = WAL'))
  applySettings(driver)
  const mutex = makeMutex()
  const { requestCheckpoint, close } = openCheckpointThread(driver, { onEnd: onThreadEnd })
  let writes = 0
  const countWrites = (more: number) => {
    writes += more
    if (writes < writesBetween) return
    writes = 0
    requestCheckpoint()
  }
  const guards = { mutex, whileLocked, observe, trouble, countWrites }
  const shared = guard(adapter, driver, guards)
  const { read, write } = shareTransactions(driver, guards)
  return {
    driver,
    factory: { provider: 'sqlite', adapterName: adapter.adapterName, connect: async () => shared },
    read,
    write: (run) => trouble.watch(() => write(run)),
    countWrites,
    close,
  }
}

type Tools = { observe: Observe; trouble: Trouble }
export type Needs = Tools & { patience: number; onThreadEnd?: ((fault: unknown) => void) | undefined }

/** The product's statements for SQLite begin with WITH only if they read. */
const isWrite = ({ sql }: SqlQuery) => !/^\s*(?:SELECT|WITH)\b/.test(sql)

function guard(adapter: SqlDriverAdapter, driver: Database.Database, guards: Guards) {
  const { mutex, whileLocked, observe, trouble, countWrites } = guards
  const alone = <T>(run: () => Promise<T>, query?: SqlQuery): Promise<T> => {
    if (query && isWrite(query)) countWrites(1)
    return timed(observe, 'prisma', () => trouble.watch(() => whileLocked(() => runAlone(mutex, run))))
  }
  const shared: SqlDriverAdapter = {
    provider: 'sqlite',
    adapterName: adapter.adapterName,
    queryRaw: (query) => alone(() => adapter.queryRaw(query), query),
    executeRaw: (query) => alone(() => adapter.executeRaw(query), query),
    executeScript: (script) => alone(async () => adapter.executeScript(script)),
    dispose: async () => undefined,
    startTransaction: () => trouble.watch(() => whileLocked(() => startTransaction(adapter, driver, guards))),
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
  { mutex, trouble, countWrites }: Guards,
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
  const inside = <T>(run: () => Promise<T>, query?: SqlQuery) =>
    trouble.watch(async () => {
      refuseWhenOver()
      if (query && isWrite(query)) countWrites(1)
      return run()
    })
  const transaction: Transaction = {
    provider: 'sqlite',
    adapterName: adapter.adapterName,
    // The wrapper commits and rolls back, so that the mutex is released on success and on error.
    options: { usePhantomQuery: true },
    queryRaw: (query) => inside(() => adapter.queryRaw(query), query),
    executeRaw: (query) => inside(() => adapter.executeRaw(query), query),
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

function makeMutex(): Mutex {
  let held = 0
  let last: Promise<void> = Promise.resolve()
  return {
    isFree: () => held === 0,
    acquire(): Promise<() => void> {
      held++
      const before = last
      const { promise, resolve: admitNext } = Promise.withResolvers<void>()
      last = promise
      let released = false
      const release = () => {
        if (released) return
        released = true
        held--
        admitNext()
      }
      return before.then(() => release)
    },
  }
}

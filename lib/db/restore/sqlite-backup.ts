import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrationsIn, pending, readSqliteLedger } from '#prisma/apply'

/** Of each backup: the file, when it was taken, and whether it may replace an existing file. */
export type BackupOrder = { source: string; target: string; takenAt: Date; overwrite: boolean }

const pages = 256
/** The pause after each copied megabyte, so that the server reads and writes in between. */
const usualPauseMs = 16

/**
 * Copies an SQLite database while servers use it. The copy is one snapshot: an open read transaction keeps the pages of
 * its begin, so a write neither changes nor restarts the copy. The file has mode 0600 from its first byte and gets its
 * name after it was checked and is on disk.
 */
export async function backUpSqlite({ source, target, takenAt, overwrite }: BackupOrder): Promise<void> {
  const part = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.part`)
  const whole = `${part}.whole`
  const removePart = () => {
    for (const ending of ['', '-journal', '-wal', '-shm'])
      for (const file of [part, whole]) rmSync(file + ending, { force: true })
  }
  // A signal ends a command without `finally` (lib/cli/main.ts).
  process.once('exit', removePart)
  try {
    refuseTarget(target, overwrite)
    await copySnapshot(source, whole)
    compact(whole, part)
    rmSync(whole)
    stamp(part, takenAt)
    readBackup(part)
    syncFile(part)
    publish(part, target, overwrite)
  } finally {
    process.off('exit', removePart)
    removePart()
  }
}

/** Refuses a target before the copy is made; `publish` decides again. Root could replace a device. */
function refuseTarget(target: string, overwrite: boolean): void {
  const present = lstatSync(target, { throwIfNoEntry: false })
  if (!present) return
  const code = overwrite ? 'EISDIR' : 'EEXIST'
  const isReplaceable = overwrite && (present.isFile() || present.isSymbolicLink())
  if (!isReplaceable) throw Object.assign(new Error(`${target} exists`), { code })
}

/** Copies one snapshot of a database with its WAL into a new file, which has mode 0600 from its first byte. */
export async function copySnapshot(source: string, copy: string, pauseMs = usualPauseMs): Promise<void> {
  closeSync(openSync(copy, 'wx', 0o600))
  const db = new Sqlite(source, { readonly: true, timeout: 5000 })
  try {
    db.exec('BEGIN')
    db.prepare('SELECT 1 FROM sqlite_master').get()
    await db.backup(copy, {
      progress: () => {
        // This process does nothing else, so it may block.
        if (pauseMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
        return pages
      },
    })
  } finally {
    db.close()
  }
}

/** Writes the rows alone into a new file: unused pages still hold rows that were deleted, of erased people too. */
function compact(whole: string, part: string): void {
  closeSync(openSync(part, 'wx', 0o600))
  const db = new Sqlite(whole)
  try {
    db.prepare('VACUUM INTO ?').run(part)
  } finally {
    db.close()
  }
}

/** Writes the time of the backup into it, and leaves one file without a journal. */
function stamp(part: string, takenAt: Date): void {
  const db = new Sqlite(part)
  try {
    db.pragma('journal_mode = DELETE')
    db.exec('DROP TABLE IF EXISTS "_backup"; CREATE TABLE "_backup" ("takenAt" INTEGER NOT NULL)')
    db.prepare('INSERT INTO "_backup" VALUES (?)').run(takenAt.getTime())
  } finally {
    db.close()
  }
}

/** What a backup says about itself. `takenAt` is undefined in a copy that `cli backup` did not make. */
export type Backup = { takenAt: Date | undefined; pendingMigrations: string[] }

/** Reads a backup. Throws if it is damaged, is not of Postern, or is of a newer version. Changes nothing. */
export function readBackup(file: string): Backup {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true })
  try {
    const found = db.pragma('integrity_check(1)', { simple: true })
    if (found !== 'ok') throw new Error(`the file is damaged: ${String(found)}`)
    const ledger = readSqliteLedger(db)
    if (ledger.length === 0) throw new Error('the file is not a database of Postern')
    const pendingMigrations = pending(migrationsIn('prisma/migrations/sqlite'), ledger).map(({ name }) => name)
    const isStamped = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = '_backup'`).get()
    const row = isStamped ? db.prepare<[], { takenAt: number }>('SELECT "takenAt" FROM "_backup"').get() : undefined
    return { takenAt: row && new Date(row.takenAt), pendingMigrations }
  } finally {
    db.close()
  }
}

/** Gives the file its name. Without `overwrite`, an existing name is refused atomically, a symbolic link too. */
function publish(part: string, target: string, overwrite: boolean): void {
  if (overwrite) renameSync(part, target)
  else linkOrReserve(part, target)
  syncFile(dirname(target))
}

function linkOrReserve(part: string, target: string): void {
  try {
    linkSync(part, target)
  } catch (fault) {
    if (!hasNoLinks(fault)) throw fault
    // An empty file reserves the name. After a kill here it stays, and is refused as a backup.
    closeSync(openSync(target, 'wx', 0o600))
    renameSync(part, target)
  }
}

/** Returns whether a link failed because the file system has none, such as exFAT and some network drives. */
export const hasNoLinks = (fault: unknown) =>
  /^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS)$/.test(String((fault as { code?: unknown }).code))

/** Waits until a file, or the names in a folder, are on disk. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

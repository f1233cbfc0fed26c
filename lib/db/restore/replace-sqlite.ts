import { chownSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { copySnapshot, syncFile } from './sqlite-backup.ts'

/** Thrown when another process has the database open. */
export class DatabaseInUse extends Error {}

const journals = ['-wal', '-shm', '-journal']

/**
 * Holds the database alone until `release`, and moves its journal into the file. Throws `DatabaseInUse` if a server or a
 * command has it open: SQLite changes the journal mode only for the last connection. `isReadable` is false for a damaged
 * file, for which that cannot be told.
 */
export function holdAlone(file: string): { isReadable: boolean; release(): void } {
  if (!existsSync(file)) return { isReadable: false, release: () => undefined }
  const db = new Sqlite(file, { timeout: 2000 })
  try {
    const mode = db.pragma('journal_mode = DELETE', { simple: true })
    if (mode !== 'delete') throw new DatabaseInUse()
    db.exec('BEGIN EXCLUSIVE')
    return { isReadable: true, release: () => db.close() }
  } catch (fault) {
    db.close()
    const { code = '' } = fault as { code?: string }
    if (fault instanceof DatabaseInUse || code.startsWith('SQLITE_BUSY')) throw new DatabaseInUse()
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return { isReadable: false, release: () => undefined }
    throw fault
  }
}

/**
 * Copies the backup with its WAL beside the database, with mode 0600 and the owner of the present database, or of its
 * folder: an operator may be root, and the service is not. An earlier unfinished copy is replaced.
 */
export async function copyBackup(backup: string, file: string): Promise<string> {
  const prepared = `${file}.restoring`
  for (const ending of ['', ...journals]) rmSync(prepared + ending, { force: true })
  await copySnapshot(backup, prepared, 0)
  const { uid, gid } = statSync(existsSync(file) ? file : dirname(file))
  chownSync(prepared, uid, gid)
  const db = new Sqlite(prepared)
  db.exec('DROP TABLE IF EXISTS "_backup"')
  db.close()
  return prepared
}

/**
 * Puts the prepared database in the place of the present one by one rename, and returns the name under which the
 * present one is kept. A kill leaves the present or the prepared database in place, never neither.
 */
export function replaceDatabase(prepared: string, file: string, at: Date): string | undefined {
  const db = new Sqlite(prepared)
  db.pragma('journal_mode = DELETE')
  db.close()
  syncFile(prepared)
  const aside = existsSync(file) ? `${file}.before-${at.toISOString().replaceAll(/[:.]/g, '-')}` : undefined
  if (aside) {
    // After a kill here, `aside` is a second name of the present database, and can be deleted.
    linkSync(file, aside)
    // A journal of the present database must never be applied to the new one.
    for (const ending of journals) if (existsSync(file + ending)) renameSync(file + ending, aside + ending)
  }
  renameSync(prepared, file)
  syncFile(dirname(file))
  return aside
}

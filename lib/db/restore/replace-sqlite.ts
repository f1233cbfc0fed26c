import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, extname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { copySnapshot, hasNoLinks, syncFile } from './sqlite-backup.ts'

/** Thrown when another process has the database open. */
export class DatabaseInUse extends Error {}

const journals = ['-wal', '-shm', '-journal']

/** Thrown when another restore of the same database is at work. */
export class RestoreAtWork extends Error {}

/**
 * Holds the database alone until `release`, and moves its journal into the file. Throws `DatabaseInUse` if a server or a
 * command has it open: SQLite changes the journal mode only for the last connection. A damaged file cannot be held, nor
 * one that does not exist yet; the lock beside it keeps other restores away.
 */
export function holdAlone(file: string): { release(): void } {
  const turn = takeTurn(file)
  try {
    const hold = existsSync(file) ? holdPresent(file) : undefined
    const release = () => {
      hold?.release()
      turn.release()
    }
    return { release }
  } catch (fault) {
    turn.release()
    throw fault
  }
}

function holdPresent(file: string): { release(): void } | undefined {
  try {
    return lockFile(file, 2000, (db) => {
      if (db.pragma('journal_mode = DELETE', { simple: true }) !== 'delete') throw new DatabaseInUse()
    })
  } catch (fault) {
    const { code = '' } = fault as { code?: string }
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return undefined
    throw isBusy(fault) ? new DatabaseInUse() : fault
  }
}

/** Keeps other restores away until `release`: two of them would write to one copy. A kill ends the lock too. */
function takeTurn(file: string): { release(): void } {
  const lock = `${file}.restore-lock`
  // A kill leaves the file behind, and then the service's own user must be able to lock it.
  giveToOwner(lock, file)
  try {
    const { release } = lockFile(lock, 0)
    let isHeld = true
    return {
      release: () => {
        if (isHeld) rmSync(lock, { force: true })
        isHeld = false
        release()
      },
    }
  } catch (fault) {
    throw isBusy(fault) ? new RestoreAtWork() : fault
  }
}

/** DBMOVED: the other restore replaced or removed the file first. */
const isBusy = (fault: unknown) => /^SQLITE_(BUSY|READONLY_DBMOVED)/.test(String((fault as { code?: unknown }).code))

/** Locks a file as SQLite does. Fails as busy if the name belongs to another file by the time the lock is there. */
function lockFile(file: string, timeout: number, prepare: (db: Sqlite.Database) => void = () => undefined) {
  const inode = () => lstatSync(file, { throwIfNoEntry: false })?.ino
  const before = inode()
  const db = new Sqlite(file, { timeout, fileMustExist: true })
  try {
    prepare(db)
    db.exec('BEGIN EXCLUSIVE')
    if (before !== inode()) throw Object.assign(new Error('the file was replaced'), { code: 'SQLITE_BUSY' })
    return { release: () => void db.close() }
  } catch (fault) {
    db.close()
    throw fault
  }
}

/** Copies the backup with its WAL beside the database, with mode 0600. An earlier unfinished copy is replaced. */
export async function copyBackup(backup: string, file: string): Promise<string> {
  const prepared = `${file}.restoring`
  for (const ending of ['', ...journals]) rmSync(prepared + ending, { force: true })
  await copySnapshot(backup, prepared, 0)
  expectOwner(file)
  giveToOwner(prepared, file)
  const db = new Sqlite(prepared)
  db.exec('DROP TABLE IF EXISTS "_backup"')
  db.close()
  return prepared
}

/** Refuses a user who cannot give the copy to the owner of the database. Only root can. */
function expectOwner(file: string): void {
  if (isRoot() || !existsSync(file) || ownerOf(file).uid === process.getuid?.()) return
  throw new Error(`${file} belongs to another user. Run this command as that user.`)
}

/**
 * Creates `beside` if it is missing and, as root, gives it to the owner of the database. The service's user owns the
 * folder and could put a link to a file of root there, so a symbolic or hard link is refused.
 */
function giveToOwner(beside: string, file: string): void {
  const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  const refusal = new Error(`${extname(beside)} beside the database is a link or not a file. Remove it.`)
  let descriptor: number
  try {
    descriptor = openSync(beside, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (fault) {
    throw (fault as { code?: string }).code === 'ELOOP' ? refusal : fault
  }
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile() || found.nlink !== 1) throw refusal
    const { uid, gid } = ownerOf(file)
    if (isRoot()) fchownSync(descriptor, uid, gid)
  } finally {
    closeSync(descriptor)
  }
}

/** The owner of the present database, or of its folder: an operator may be root, and the service is not. */
const ownerOf = (file: string) => statSync(file, { throwIfNoEntry: false }) ?? statSync(dirname(file))

const isRoot = () => process.getuid?.() === 0

/**
 * Puts the prepared database in the place of the present one by one rename, and returns the name under which the
 * present one is kept. A kill leaves the present or the prepared database in place, never neither.
 */
export function replaceDatabase(prepared: string, file: string, at: Date): string | undefined {
  const db = new Sqlite(prepared)
  db.pragma('journal_mode = DELETE')
  db.close()
  syncFile(prepared)
  const isPresent = existsSync(file)
  const aside = `${file}.before-${at.toISOString().replaceAll(/[:.]/g, '-')}`
  // After a kill here, `aside` is a second name of the present database, and can be deleted.
  if (isPresent) setAside(file, aside)
  // A journal of another database must never be applied to the new one; it may be there although its database is not.
  for (const ending of journals) if (existsSync(file + ending)) renameSync(file + ending, aside + ending)
  renameSync(prepared, file)
  syncFile(dirname(file))
  return isPresent ? aside : undefined
}

/** Gives the database a second name. A copy would take the lock away that this process holds on it. */
function setAside(file: string, aside: string): void {
  try {
    linkSync(file, aside)
  } catch (fault) {
    if (!hasNoLinks(fault)) throw fault
    throw new Error(`The folder ${dirname(file)} has no hard links. Move ${file} away yourself, and run this again.`)
  }
}

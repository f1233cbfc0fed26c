import { mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isOpenToOthers } from '#lib/crypto/private-file'
import { filesOf } from '#lib/db/engine/client'
import { journalFault } from '#lib/db/restore/deletion-journal'
import type { Config } from '#lib/server/settings/config'
import { type Finding, ok, warning, wrong } from './check.ts'

/** Checks that Postern can write the data folder and that other users cannot enter it. */
export function checkDataFolder({ dataDir, databaseUrl, secretKey }: Config): Finding {
  const name = 'data folder'
  const mode = modeOf(dataDir)
  if (mode === undefined) {
    const needed = databaseUrl.startsWith('file:') || !secretKey
    return needed
      ? warning(name, `${dataDir} does not exist yet.`, 'It is made by the first start; no step is needed.')
      : ok(name, 'is not used: database and key are elsewhere.')
  }
  if (mode & 0o007) return wrong(name, `${dataDir} is open to every user of this machine.`, `chmod 700 ${dataDir}`)
  try {
    // Permission bits do not suffice: a read-only or full disk refuses writes in spite of them.
    rmdirSync(mkdtempSync(join(dataDir, '.doctor-')))
    return ok(name, `${dataDir} can be written and is closed to others.`)
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    return wrong(
      name,
      `${dataDir} cannot be written (${code}).`,
      'Give it to the user Postern runs as, and check the disk.',
    )
  }
}

/**
 * Checks that the master key exists and, if it is the key file of an evaluation, that only its owner can read it
 * (design §5).
 */
export function checkSecretKey({ secretKey, dataDir }: Config): Finding {
  const name = 'secret key'
  if (secretKey) return ok(name, 'comes from the settings.')
  const file = join(dataDir, 'secret-key')
  const mode = modeOf(file)
  if (mode === undefined)
    return warning(name, `${file} does not exist yet.`, 'An evaluation makes it at its first start; no step is needed.')
  if (mode & 0o077) return wrong(name, `${file} can be read by others.`, `chmod 600 ${file}`)
  return ok(name, `${file} is there, for its owner alone.`)
}

/** Checks that only the owner can read an SQLite database and its journal files. */
export function checkDatabaseFiles({ databaseUrl }: Config): Finding[] {
  const name = 'database file'
  const [file] = filesOf(databaseUrl)
  if (file === undefined || modeOf(file) === undefined) return []
  const open = filesOf(databaseUrl).filter(isOpenToOthers)
  return open.length > 0
    ? [wrong(name, `${open.join(', ')} can be read by others.`, `chmod 600 ${open.join(' ')}`)]
    : [ok(name, `${file} is its owner’s alone.`)]
}

/** Checks that the deletion journal can be written: a person is erased only after a line in it. */
export function checkDeletionJournal({ deletionJournal: file }: Config): Finding[] {
  if (file === undefined) return []
  const fault = journalFault(file)
  const name = 'deletion journal'
  return [fault ? wrong(name, fault.message, fault.fix) : ok(name, `${file} can be written.`)]
}

function modeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mode
}

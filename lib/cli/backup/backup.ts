import { existsSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { filesOf } from '#lib/db/engine/client'
import { backUpSqlite } from '#lib/db/restore/sqlite-backup'
import { readConfig } from '#lib/server/settings/config'
import { fileFault } from './file-fault.ts'

/** `backup FILE`: a checked copy of the SQLite database. */
export const backup: Command = {
  usage: 'backup FILE',
  summary: 'Copy the SQLite database to FILE while the server runs, and check the copy',
  options: { overwrite: { type: 'boolean' } },
  run: runBackup,
}

/** Does not migrate the database, so that a backup can precede an upgrade. */
async function runBackup(call: Call): Promise<Answer> {
  const { databaseUrl } = readConfig(call.env)
  if (!databaseUrl.startsWith('file:')) {
    throw new Refusal(
      'The database is PostgreSQL, which has its own backups. Run: pg_dump --format=custom --file=FILE "$DATABASE_URL", with the address of PostgreSQL itself, not of PgBouncer (docs/backup.md says how to restore it).',
    )
  }
  const source = resolve(databaseUrl.slice('file:'.length))
  const target = resolve(call.args[0] ?? '')
  if (!existsSync(source)) throw new Refusal(`There is no database at ${source}. Set DATABASE_URL or DATA_DIR.`)
  if (filesOf(databaseUrl).some((file) => isSame(resolve(file), target)))
    throw new Refusal(`${target} is the database itself. Name another file.`)
  call.say(`Database: file:${source}`)
  // The copy is compacted and checked without pauses.
  call.lowerPriority?.()
  const takenAt = call.now
  try {
    await backUpSqlite({ source, target, takenAt, overwrite: call.flags.overwrite === true })
  } catch (fault) {
    throw fileFault(fault, target, 'No backup was made.')
  }
  const { size } = statSync(target)
  return {
    ok: true,
    value: { file: target, taken_at: takenAt, bytes: size },
    text: `${target}: ${size} bytes, checked. The backup does not contain SECRET_KEY: keep the key in another place.`,
  }
}

const isSame = (one: string, other: string) =>
  one === other || (existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other))

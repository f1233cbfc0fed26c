import { existsSync, realpathSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { runWith } from '#lib/cli/open'
import { lostIdentifiers } from '#lib/db/restore/lost-identifiers'
import { copyBackup, DatabaseInUse, holdAlone, replaceDatabase } from '#lib/db/restore/replace-sqlite'
import { readBackup } from '#lib/db/restore/sqlite-backup'
import { type Config, readConfig } from '#lib/server/settings/config'
import {
  describeSettled,
  journalsOf,
  readJournalsOrRefuse,
  readTime,
  type Settled,
  settleRestored,
} from './begin-epoch.ts'
import { fileFault } from './file-fault.ts'

/** `restore FILE`: puts a backup in the place of the SQLite database. */
export const restore: Command = {
  usage: 'restore FILE',
  summary: 'Replace the SQLite database by the backup in FILE while no server runs, and end all sessions',
  options: {
    'taken-at': { type: 'string' },
    journal: { type: 'string', multiple: true },
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean' },
  },
  run: runRestore,
}

async function runRestore(call: Call): Promise<Answer> {
  const config = readConfig(call.env)
  if (!config.databaseUrl.startsWith('file:')) {
    throw new Refusal(
      'The database is PostgreSQL. Restore it with pg_restore or from its WAL, then run: cli epoch begin (docs/backup.md).',
    )
  }
  const named = resolve(config.databaseUrl.slice('file:'.length))
  const file = existsSync(named) ? realpathSync(named) : named
  const source = resolve(call.args[0] ?? '')
  if (existsSync(source) && realpathSync(source) === file) throw new Refusal(`${source} is the database itself.`)
  const { takenAt, pendingMigrations } = inspect(call, source)
  const journal = readJournalsOrRefuse(journalsOf(call, config))
  call.say(`Database: file:${file}; issuer: ${config.issuer}`)
  const hold = holdOrRefuse(file)
  try {
    if (call.flags['dry-run'] === true) {
      const value = {
        backup_at: takenAt,
        pending_migrations: pendingMigrations,
        people_in_journal: journal.people.length,
      }
      return { ok: true, value, text: `${source} can be restored; it is of ${takenAt.toISOString()}.` }
    }
    if (call.flags.yes !== true)
      throw new Refusal(`This replaces ${file} by the state of ${takenAt.toISOString()}. If that is meant, add --yes.`)
    return await replace({ call, config, file, source, takenAt, release: hold.release })
  } catch (fault) {
    throw fileFault(fault, file, 'Nothing was restored.')
  } finally {
    hold.release()
  }
}

function inspect(call: Call, source: string): { takenAt: Date; pendingMigrations: string[] } {
  const given = call.flags['taken-at']
  const said = readTime(given)
  if (given !== undefined && !said) throw new Refusal('--taken-at must be a time such as 2026-11-23T04:00:00Z.')
  try {
    const { takenAt = said, pendingMigrations } = readBackup(source)
    if (takenAt) return { takenAt, pendingMigrations }
  } catch (fault) {
    throw fileFault(fault, source, `${source} is not a backup that this version can restore.`)
  }
  throw new Refusal(`${source} was not made by cli backup. Say when it was made: --taken-at 2026-11-23T04:00:00Z`)
}

function holdOrRefuse(file: string) {
  try {
    return holdAlone(file)
  } catch (fault) {
    if (!(fault instanceof DatabaseInUse)) throw fault
    throw new Refusal(`A server or a command still uses ${file}. Stop it first.`)
  }
}

type Replacing = { call: Call; config: Config; file: string; source: string; takenAt: Date; release(): void }

/** Prepares the whole database beside the present one, and replaces that last. */
async function replace({ call, config, file, source, takenAt, release }: Replacing): Promise<Answer> {
  const prepared = copyBackup(source, file)
  try {
    const settled = await runWith({ databaseUrl: `file:${prepared}` }, config, (database) =>
      settleRestored(call, database, config, takenAt),
    )
    const aside = replaceDatabase(prepared, file, call.now)
    release()
    const lost = aside === undefined ? undefined : lostIdentifiers(aside, file)
    const value = { ...settled, kept: aside ?? null, lost: lost ?? null }
    return { ok: true, value, text: describeRestore(settled, aside, lost) }
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(prepared + ending, { force: true })
  }
}

function describeRestore(
  settled: Settled,
  aside: string | undefined,
  lost: ReturnType<typeof lostIdentifiers>,
): string {
  const lines = [describeSettled(settled)]
  if (aside) lines.push(`The replaced database is kept: ${aside}. Delete it when you no longer need it.`)
  if (!lost) {
    lines.push(
      `Which identifiers were lost is unknown. Any sub or relay address made after ${settled.backup_at.toISOString()} is.`,
    )
    return lines.join('\n')
  }
  lines.push(`Lost: ${lost.subs.length} subs, ${lost.aliases.length} relay addresses.`)
  for (const { sub, team } of lost.subs) lines.push(`  sub ${sub} of team ${team}`)
  for (const { address, app } of lost.aliases) lines.push(`  relay address ${address} of app ${app}`)
  return lines.join('\n')
}

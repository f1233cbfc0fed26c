import { existsSync, realpathSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { describeLost, lookForLost } from '#lib/cli/keys/lost-key'
import { existingMasterKeys } from '#lib/cli/keys/server-keys'
import { runWith } from '#lib/cli/open'
import type { Database } from '#lib/db/engine/client'
import { sealedRows } from '#lib/db/keys/sealed-rows'
import { lostIdentifiers } from '#lib/db/restore/lost-identifiers'
import { copyBackup, DatabaseInUse, holdAlone, RestoreAtWork, replaceDatabase } from '#lib/db/restore/replace-sqlite'
import { readBackup } from '#lib/db/restore/sqlite-backup'
import { sealProgress } from '#lib/keys/seal-progress'
import { type Config, readConfig } from '#lib/server/settings/config'
import {
  describeSettled,
  journalsOf,
  noJournal,
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
    'key-lost': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean' },
  },
  run: runRestore,
}

const isKeyLost = (call: Call) => call.flags['key-lost'] === true

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
  const journalFiles = journalsOf(call, config)
  const journal = await readJournalsOrRefuse(journalFiles)
  call.say(`Database: file:${file}; issuer: ${config.issuer}`)
  const hold = holdOrRefuse(file)
  try {
    if (call.flags['dry-run'] === true) {
      const lost = await withPrepared({ call, config, file, source }, async ({ run }) =>
        isKeyLost(call) ? run(({ prisma }) => lookForLost(call, prisma, config)) : undefined,
      )
      const value = {
        backup_at: takenAt,
        pending_migrations: pendingMigrations,
        people_in_journal: journal.people.length,
        journal_files: journalFiles,
        journal_lines_unreadable: journal.unreadable,
        key_lost: lost ?? null,
      }
      const lines = [`${source} can be restored; it is of ${takenAt.toISOString()}.`]
      if (lost) lines.push(...describeLost(lost))
      if (journalFiles.length === 0) lines.push(noJournal)
      return { ok: true, value, text: lines.join('\n') }
    }
    if (call.flags.yes !== true)
      throw new Refusal(`This replaces ${file} by the state of ${takenAt.toISOString()}. If that is meant, add --yes.`)
    return await withPrepared({ call, config, file, source }, async (prepared) => {
      const settled = await prepared.run((database) => settleRestored(call, database, config, takenAt))
      const aside = replaceDatabase(prepared.file, file, call.now)
      hold.release()
      const lost = aside === undefined ? undefined : lostIdentifiers(aside, file)
      const value = { ...settled, kept: aside ?? null, lost: lost ?? null }
      return { ok: true, value, text: describeRestore(settled, aside, lost) }
    })
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
  expectFile(source)
  try {
    const { takenAt = said, pendingMigrations } = readBackup(source)
    if (takenAt) return { takenAt, pendingMigrations }
  } catch (fault) {
    throw fileFault(fault, source, `${source} is not a backup that this version can restore.`)
  }
  throw new Refusal(`${source} was not made by cli backup. Say when it was made: --taken-at 2026-11-23T04:00:00Z`)
}

function expectFile(source: string): void {
  let found: ReturnType<typeof statSync>
  try {
    found = statSync(source, { throwIfNoEntry: false })
  } catch (fault) {
    const { code } = fault as { code?: string }
    throw new Refusal(`${source} cannot be read (${code}). Check its path and its owner.`)
  }
  if (!found) throw new Refusal(`There is no file ${source}.`)
  // To open a pipe would wait for a writer.
  if (!found.isFile()) throw new Refusal(`${source} is not a file. Name a file.`)
}

function holdOrRefuse(file: string) {
  try {
    return holdAlone(file)
  } catch (fault) {
    if (fault instanceof RestoreAtWork) throw new Refusal(`Another restore of ${file} already runs. Wait for its end.`)
    if (fault instanceof DatabaseInUse) throw new Refusal(`A server or a command still uses ${file}. Stop it first.`)
    throw fileFault(fault, file, 'Nothing was restored.')
  }
}

type Preparing = { call: Call; config: Config; file: string; source: string }
type Prepared = { file: string; run<T>(work: (database: Database) => Promise<T>): Promise<T> }

/**
 * Prepares the whole database beside the present one, calls `work`, and removes what `work` has not put in place. Refuses
 * a backup that SECRET_KEY does not open: a server could not sign with its keys.
 */
async function withPrepared<T>({ call, config, file, source }: Preparing, work: (prepared: Prepared) => Promise<T>) {
  const prepared = await copyBackup(source, file)
  try {
    const run: Prepared['run'] = (use) => runWith({ databaseUrl: `file:${prepared}` }, config, use)
    if (!isKeyLost(call)) await run((database) => expectOwnKey(database, config))
    return await work({ file: prepared, run })
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(prepared + ending, { force: true })
  }
}

async function expectOwnKey({ prisma }: Database, config: Config): Promise<void> {
  const tables = sealedRows(prisma)
  const hasSealed = (await Promise.all(tables.map(({ list }) => list('')))).some((rows) => rows.length > 0)
  if (!hasSealed) return
  const closed = (await sealProgress(existingMasterKeys(config), tables)).reduce((sum, { neither }) => sum + neither, 0)
  if (closed === 0) return
  throw new Refusal(
    `SECRET_KEY does not open ${closed} sealed values of this backup. Give this command the key of its time as SECRET_KEY or SECRET_KEY_PREVIOUS. If that key is lost for good, add --key-lost: what it sealed is replaced or lost. See that with --dry-run first.`,
  )
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
  const { count } = lost
  lines.push(`Lost: ${count.subs} subs, ${count.aliases} relay addresses.`)
  for (const { sub, team } of lost.subs) lines.push(`  sub ${sub} of team ${team}`)
  for (const { address, app } of lost.aliases)
    lines.push(`  relay address ${address} ${app ? `of app ${app}` : 'without an app'}`)
  if (count.back > 0)
    lines.push(
      `${count.back} people of the backup are not in the replaced database. If they were deleted, delete them again: cli user delete USERNAME --now --yes`,
    )
  for (const { username } of lost.back) lines.push(`  ${username}`)
  const listed = lost.subs.length + lost.aliases.length + lost.back.length
  if (listed < count.subs + count.aliases + count.back)
    lines.push(`The lists are cut. To see all, compare "Subject", "Alias" and "Person" of ${aside} with the database.`)
  return lines.join('\n')
}

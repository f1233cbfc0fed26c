import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createDatabaseFiles, type Database, openDatabase } from '#lib/db/engine/client'
import { type MigrationState, readMigrationState } from '#lib/db/engine/migration-state'
import { timeoutsOfCommands } from '#lib/db/engine/timeouts'
import { isFromSocket, isUnavailable } from '#lib/db/engine/unavailable'
import { mask } from '#lib/server/observe/log'
import { type Config, readConfig } from '#lib/server/settings/config'
import { serverUrls } from '#lib/text/server-urls'
import { applyMigrations } from '#prisma/apply'
import { type Call, Refusal } from './command.ts'

type Opening = Pick<Call, 'env' | 'flags' | 'say'>

/**
 * Opens and migrates the database, prints the addresses of database and issuer, calls `run`, and always closes the
 * database.
 */
export async function withDatabase<T>(call: Opening, run: Run<T>): Promise<T> {
  const config = readConfig(call.env)
  nameTarget(call, config)
  await refuseToInvent(call, config)
  return runWith(config, config, run, call.say)
}

/**
 * Like `withDatabase`, but writes nothing: refuses pending migrations, and uses an empty temporary database if there
 * is none.
 */
export async function withDatabaseToLookAt<T>(call: Opening, run: Run<T>): Promise<T> {
  const config = readConfig(call.env)
  const state = await stateOf(config)
  nameTarget(call, config, state.empty ? ' (not set up yet)' : '')
  if (state.empty) return withEmptyDatabase(config, run)
  if (state.pending.length === 0) return runWith(config, config, run)
  throw new Refusal(
    `The database still needs ${state.pending.join(', ')}, which a dry run does not apply. Start Postern, or apply without --dry-run.`,
  )
}

/**
 * Prints which installation the command works on, because a shell without the server's settings would silently change
 * another one.
 */
function nameTarget({ say }: Opening, { databaseUrl, issuer }: Config, remark = '') {
  say(`Database: ${whereIs(databaseUrl)}${remark}; issuer: ${issuer}`)
}

/**
 * Refuses to create a database at the default path when no setting names one: a second database beside the server's
 * must not appear by accident.
 */
async function refuseToInvent({ env, flags }: Opening, config: Config): Promise<void> {
  if (env.DATABASE_URL || env.DATA_DIR || flags.init === true) return
  if (!(await stateOf(config)).empty) return
  throw new Refusal(
    `There is no database at ${whereIs(config.databaseUrl)}, and neither DATABASE_URL nor DATA_DIR is set. ` +
      'Give this command the settings of the server, in the environment or in .env. To make a new database there, add --init.',
  )
}

async function stateOf({ databaseUrl }: Config): Promise<MigrationState> {
  return readMigrationState(databaseUrl).catch((fault: unknown) => {
    throw new Refusal(explainDatabaseFault(fault, databaseUrl))
  })
}

/** Migrates and opens a database, calls `run`, and always closes the database. */
export async function runWith<T>(
  where: Pick<Config, 'databaseUrl'>,
  config: Config,
  run: Run<T>,
  report?: Call['say'],
): Promise<T> {
  const database = await open(where, report)
  try {
    return await run(database, config)
  } catch (fault) {
    throw isUnavailable(fault) ? new Refusal(explainInterruption(fault, where.databaseUrl)) : fault
  } finally {
    await database.close()
  }
}

async function withEmptyDatabase<T>(config: Config, run: Run<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // On a signal the process exits without running `finally` (main.ts).
  process.once('exit', remove)
  try {
    return await runWith({ databaseUrl: `file:${folder}/empty.db` }, config, run)
  } finally {
    process.off('exit', remove)
    remove()
  }
}

type Run<T> = (database: Database, config: Config) => Promise<T>

async function open({ databaseUrl }: Pick<Config, 'databaseUrl'>, report?: Call['say']): Promise<Database> {
  try {
    createDatabaseFiles(databaseUrl)
    await applyMigrations(databaseUrl, undefined, report && { report })
    return await openDatabase(databaseUrl, undefined, timeoutsOfCommands)
  } catch (fault) {
    throw new Refusal(explainDatabaseFault(fault, databaseUrl))
  }
}

/** Returns one sentence that says why the database cannot be used; names the setting and omits the password. */
export function explainDatabaseFault(fault: unknown, url: string): string {
  const { code, message } = firstCause(fault)
  const where = `The database of DATABASE_URL (${withoutPassword(url)})`
  if (isFromSocket({ code, message })) {
    const hint =
      code === 'EACCES'
        ? 'This user may not use it: check the permissions of its folder.'
        : 'Is it running, and are folder and port right?'
    return `${where} cannot be reached through its Unix socket: ${message.split('\n').at(-1)}. ${hint}`
  }
  const known = causes.find(([codes]) => codes.test(code))
  if (known) return `${where} ${known[1]}`
  if (/timeout/i.test(message)) return `${where} does not answer in time. Check the address and the firewall.`
  return `${where} cannot be used: ${mask(message.split('\n').at(-1) ?? '')}`
}

/** Returns one sentence for a database that failed after it was opened. Every command can be repeated (main.ts). */
function explainInterruption(fault: unknown, url: string): string {
  const { message } = firstCause(fault)
  const reason = mask(message.trim().split('\n').at(-1) ?? '')
  return `The database of DATABASE_URL (${withoutPassword(url)}) failed before the command was complete (${reason}). Run it again once the database works.`
}

/** Returns the address of a database; a file with its absolute path. */
const whereIs = (url: string) =>
  url.startsWith('file:') ? `file:${resolve(url.slice('file:'.length))}` : withoutPassword(url)

/** Returns the address without the password. Of the query, which may contain another password, only the folder of a Unix socket stays. */
export function withoutPassword(url: string): string {
  if (url.startsWith('file:')) return url
  const servers = serverUrls(url)
  if (!servers.every((one) => URL.canParse(one))) return `${url.slice(0, url.indexOf(':'))}://…`
  const { protocol, username, pathname, searchParams } = new URL(servers[0] ?? '')
  const folder = searchParams.get('host')
  const hosts = servers.map((one) => new URL(one).host).join()
  return `${protocol}//${username ? `${username}@` : ''}${hosts}${pathname}${folder?.startsWith('/') ? `?host=${folder}` : ''}`
}

const causes: [RegExp, string][] = [
  [/^ECONNREFUSED$/, 'cannot be reached: nothing listens there. Is it running, and are host and port right?'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'cannot be reached: its host name is not known. Check the spelling and the DNS.'],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET)$/,
    'cannot be reached over the network. Check the address and the firewall.',
  ],
  [/^28/, 'refuses the user name or password.'],
  [/^3D000$/, 'does not exist on that server. Create it first.'],
  [
    /^(EACCES|EPERM|EROFS|SQLITE_READONLY.*)$/,
    'cannot be opened: permission denied. Check the owner of the folder and the file.',
  ],
  [/^(ENOENT|ENOTDIR|EISDIR|SQLITE_CANTOPEN.*)$/, 'cannot be opened. Check the path.'],
  [
    /^(SQLITE_NOTADB|SQLITE_CORRUPT.*)$/,
    'is not an SQLite database, or is damaged. Check the path, or restore a backup.',
  ],
  [/^SQLITE_BUSY/, 'is locked by another process. Try again.'],
]

function firstCause(fault: unknown): { code: string; message: string } {
  const inner = fault instanceof AggregateError && fault.errors.length > 0 ? fault.errors[0] : fault
  const { code, message } = inner as { code?: unknown; message?: unknown }
  return { code: String(code ?? ''), message: String(message || fault) }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, makeRoomFor, openDatabase } from '#lib/db/engine/client'
import { limitsOfCommands } from '#lib/db/engine/database-limits'
import { readMigrationState } from '#lib/db/engine/migration-state'
import { mask } from '#lib/server/observe/log'
import { type Config, readConfig } from '#lib/server/settings/config'
import { applyMigrations } from '#prisma/apply'
import { type Call, Refusal } from './command.ts'

/** Runs with the settings and the migrated database, and closes it whatever happens. */
export async function withDatabase<T>({ env }: Pick<Call, 'env'>, run: Run<T>): Promise<T> {
  const config = readConfig(env)
  const database = await open(config)
  try {
    return await run(database, config)
  } finally {
    await database.close()
  }
}

/**
 * The same without changing anything, the schema included: what was never set up is looked at as an empty database,
 * and one of an earlier version is refused.
 */
export async function withDatabaseToLookAt<T>({ env }: Pick<Call, 'env'>, run: Run<T>): Promise<T> {
  const config = readConfig(env)
  const state = await readMigrationState(config.databaseUrl).catch((fault: unknown) => {
    throw new Refusal(explainDatabaseFault(fault, config.databaseUrl))
  })
  if (state.empty) return withEmptyDatabase(config, run)
  if (state.pending.length === 0) return withDatabase({ env }, run)
  throw new Refusal(
    `The database still needs ${state.pending.join(', ')}, which a dry run does not apply. Start Postern, or apply without --dry-run.`,
  )
}

async function withEmptyDatabase<T>(config: Config, run: Run<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-'))
  try {
    const database = await open({ databaseUrl: `file:${folder}/empty.db` })
    return await run(database, config).finally(() => database.close())
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Run<T> = (database: Database, config: Config) => Promise<T>

async function open({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<Database> {
  try {
    makeRoomFor(databaseUrl)
    await applyMigrations(databaseUrl)
    return await openDatabase(databaseUrl, undefined, limitsOfCommands)
  } catch (fault) {
    throw new Refusal(explainDatabaseFault(fault, databaseUrl))
  }
}

/** Why the database cannot be used, in a sentence that names the setting and shows no password. */
export function explainDatabaseFault(fault: unknown, url: string): string {
  const { code, message } = firstCause(fault)
  const where = `The database of DATABASE_URL (${withoutPassword(url)})`
  const known = causes.find(([codes]) => codes.test(code))
  if (known) return `${where} ${known[1]}`
  if (/timeout/i.test(message)) return `${where} does not answer in time. Check the address and the firewall.`
  return `${where} cannot be used: ${mask(message.split('\n').at(-1) ?? '')}`
}

/** The address as it may be shown: everything but what lets somebody in. */
export function withoutPassword(url: string): string {
  if (url.startsWith('file:')) return url
  if (!URL.canParse(url)) return `${url.slice(0, url.indexOf(':'))}://…`
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`
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

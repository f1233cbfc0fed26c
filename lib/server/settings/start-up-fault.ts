import { isFromSocket } from '#lib/db/engine/unavailable'
import { mask } from '#lib/server/observe/log'
import { isLoopback } from '#lib/text/loopback'
import { SettingsError } from './config.ts'
import { examples } from './settings.ts'

type Setting = keyof typeof examples
type Environment = Record<string, string | undefined>

/** Thrown when a setting names something that this machine cannot use, such as a port in use. */
class UnusableSetting extends Error {
  readonly setting: Setting
  constructor(setting: Setting, cause: unknown) {
    super(`${setting} cannot be used`, { cause })
    this.setting = setting
  }
}

/** Runs work that depends on a setting; an error names the setting. */
export async function using<Result>(setting: Setting, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (fault) {
    throw fault instanceof UnusableSetting ? fault : new UnusableSetting(setting, fault)
  }
}

/** Says why the process cannot start, and what the operator can do. */
export function explainFault(fault: unknown, env: Environment = {}): string {
  if (fault instanceof SettingsError) return fault.message
  if (fault instanceof UnusableSetting) return `Postern cannot start: ${explainSetting(fault, env)}`
  const { code, path } = fault as NodeJS.ErrnoException
  if (code === 'ENOENT' && path) return `Postern cannot start: ${path} does not exist. npm start creates missing files.`
  return `Postern cannot start: ${mask(fault instanceof Error ? fault.message : String(fault))}`
}

function explainSetting({ setting, cause }: UnusableSetting, env: Environment): string {
  const fault = (cause instanceof AggregateError ? cause.errors[0] : cause) as NodeJS.ErrnoException
  const message = mask(String(fault?.message ?? cause))
  const reason = fault?.code ?? message
  if (setting === 'DATABASE_URL') return explainDatabase(reason, message)
  if (reason === 'EADDRINUSE') return explainPort(setting, (fault as { port?: number }).port, env)
  const why = reasons[reason] ?? message
  const code = why === reason ? '' : ` (${reason})`
  return `${setting} ${why}${code}. Example: ${setting}=${examples[setting]}`
}

/**
 * Names the port in use and the setting to change: the URL of the host (ISSUER or ACCOUNT_URL) if that is on loopback
 * and LISTEN_… is not set, else `setting` itself.
 */
function explainPort(setting: Setting, port: number | undefined, env: Environment): string {
  const host = { LISTEN_ISSUER: 'ISSUER', LISTEN_ACCOUNT: 'ACCOUNT_URL' }[setting as string]
  const moves = (host && !env[setting] && isLoopbackUrl(env[host]) ? host : setting) as Setting
  const other = port === undefined ? examples[setting] : `localhost:${(port % 65_000) + 10}`
  const example = moves === setting ? other : `http://${other}`
  const which = port === undefined ? 'the port' : `port ${port}`
  return `${setting}: ${which} is in use (EADDRINUSE). Stop the program that uses it, or choose another port. Example: ${moves}=${example}`
}

/** An unset address is on loopback, because the defaults are. */
const isLoopbackUrl = (url: string | undefined) => !url || (URL.canParse(url) && isLoopback(new URL(url).hostname))

function explainDatabase(reason: string, message: string): string {
  if (isFromSocket({ code: reason, message })) {
    const hint =
      reason === 'EACCES'
        ? 'Check the permissions of its folder.'
        : 'Is the database running, and are folder and port right?'
    return `DATABASE_URL cannot be reached (${message}). ${hint}`
  }
  if (unreachable.includes(reason) || /timeout/i.test(message))
    return `DATABASE_URL cannot be reached (${reason}). Is the database running, and is the address right?`
  // A migration waited for a lock in vain; its message says what to do.
  if (reason === '55P03') return message
  if (/^(28|3D)/.test(reason)) return `DATABASE_URL was refused by the database (${message}).`
  return `DATABASE_URL cannot be used (${message}). Example: DATABASE_URL=${examples.DATABASE_URL}`
}

const unreachable = ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'ECONNRESET', 'EAI_AGAIN']

const reasons: Record<string, string> = {
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'names a host that does not exist',
  EAI_AGAIN: 'names a host that cannot be resolved now',
  EACCES: 'needs a privilege: ports below 1024 and files of other users do',
  ENOENT: 'names a file that does not exist',
  EISDIR: 'names a folder, not a file',
}

import { mask } from '#lib/server/observe/log'
import { SettingsError } from './config.ts'
import { examples } from './settings.ts'

type Setting = keyof typeof examples

/** What a setting names cannot be used on this machine, at this moment. */
class UnusableSetting extends Error {
  readonly setting: Setting
  constructor(setting: Setting, cause: unknown) {
    super(`${setting} cannot be used`, { cause })
    this.setting = setting
  }
}

/** Does what a setting asks for, and names the setting when that fails. */
export async function using<Result>(setting: Setting, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (fault) {
    throw fault instanceof UnusableSetting ? fault : new UnusableSetting(setting, fault)
  }
}

/** Why the process cannot start, in a sentence that says what to do; an operator reads this first. */
export function explainFault(fault: unknown): string {
  if (fault instanceof SettingsError) return fault.message
  if (fault instanceof UnusableSetting) return `Postern cannot start: ${explainSetting(fault)}`
  const { code, path } = fault as NodeJS.ErrnoException
  if (code === 'ENOENT' && path) return `Postern cannot start: ${path} is not there. npm start makes what is missing.`
  return `Postern cannot start: ${mask(fault instanceof Error ? fault.message : String(fault))}`
}

function explainSetting({ setting, cause }: UnusableSetting): string {
  const fault = (cause instanceof AggregateError ? cause.errors[0] : cause) as NodeJS.ErrnoException
  const message = mask(String(fault?.message ?? cause))
  const reason = fault?.code ?? message
  if (setting === 'DATABASE_URL') return explainDatabase(reason, message)
  const why = reasons[reason] ?? message
  return `${setting} ${why} (${reason}). Example: ${setting}=${examples[setting]}`
}

function explainDatabase(reason: string, message: string): string {
  if (unreachable.includes(reason) || /timeout/i.test(message))
    return `DATABASE_URL cannot be reached (${reason}). Is the database running, and is the address right?`
  if (/^(28|3D)/.test(reason)) return `DATABASE_URL was refused by the database (${message}).`
  return `DATABASE_URL cannot be used (${message}). Example: DATABASE_URL=${examples.DATABASE_URL}`
}

const unreachable = ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'ECONNRESET', 'EAI_AGAIN']

const reasons: Record<string, string> = {
  EADDRINUSE: 'names a port that is in use: stop what uses it, or choose another',
  EADDRNOTAVAIL: 'is no address of this machine',
  ENOTFOUND: 'names a host that does not exist',
  EAI_AGAIN: 'names a host that cannot be resolved at the moment',
  EACCES: 'asks for what this user may not do: ports below 1024 and other people’s files need a privilege',
  ENOENT: 'names a file that is not there',
  EISDIR: 'names a folder, not a file',
}

import { SettingsError } from './config.ts'
import { mask } from './log.ts'

const unreachable = ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'ECONNRESET', 'EAI_AGAIN']

/** Why the process cannot start, in a sentence that says what to do; an operator reads this first. */
export function explainFault(fault: unknown): string {
  if (fault instanceof SettingsError) return fault.message
  if (!(fault instanceof Error)) return `Postern cannot start: ${mask(String(fault))}`
  const { code, port } = fault as NodeJS.ErrnoException & { port?: number }
  const inner =
    fault instanceof AggregateError ? (fault.errors[0] as NodeJS.ErrnoException | undefined)?.code : undefined
  const reason = code ?? inner ?? ''
  if (reason === 'EADDRINUSE')
    return `Postern cannot start: port ${port} is in use. Stop what uses it, or set LISTEN_ISSUER, LISTEN_ACCOUNT, METRICS_LISTEN, RELAY_LISTEN or DEMO_LISTEN.`
  if (reason === 'EACCES')
    return `Postern cannot start: permission denied (${fault.message}). Check DATA_DIR and the ports.`
  if (unreachable.includes(reason) || /timeout/i.test(fault.message)) {
    return `Postern cannot start: DATABASE_URL cannot be reached (${reason || fault.message}). Is the database running, and is the address right?`
  }
  if (/^(28|3D)/.test(reason))
    return `Postern cannot start: DATABASE_URL was refused by the database (${fault.message}).`
  return `Postern cannot start: ${mask(fault.message)}`
}

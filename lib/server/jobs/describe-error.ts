import { mask } from '#lib/server/observe/log'

/** Returns a short text about an error for operators, without addresses and secrets. */
export function describeError(fault: unknown): string {
  if (!(fault instanceof Error)) return 'Error'
  const code = (fault as { code?: unknown }).code
  // Prisma's message contains the whole call with its values; only the last line is the reason.
  const reason = fault.message.trim().split('\n').at(-1) ?? ''
  return mask([fault.name, ...(code ? [code] : []), reason].join(' ')).slice(0, 200)
}

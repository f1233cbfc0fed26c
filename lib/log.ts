import pino, { type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/** JSON logs, readable on a terminal; no string in them can carry an address or a secret. */
export function makeLog(level: string, destination: DestinationStream = standardOutput()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: maskFields },
      serializers: { err: describeFault },
      hooks: {
        logMethod(args, method) {
          const masked = args.map((arg) => (typeof arg === 'string' ? mask(arg) : arg))
          method.apply(this, masked as typeof args)
        },
      },
    },
    destination,
  )
}

const standardOutput = () =>
  process.stdout.isTTY
    ? pino.transport({ target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' } })
    : pino.destination({ fd: 1, sync: false })

const mailAddress = /[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g
/** Codes, tokens, hashes and sealed values are long unbroken runs; request ids are shorter. */
const longSecret = /[A-Za-z0-9_\-+/=.~]{32,}/g

/** Takes addresses and anything that could be a secret out of a text. */
export const mask = (text: string) => text.replace(mailAddress, '[address]').replace(longSecret, '[secret]')

function maskFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? mask(value) : value]),
  )
}

/** A stack helps the operator; arguments that a library quotes in its message must not. */
function describeFault(fault: unknown) {
  if (!(fault instanceof Error)) return { message: mask(String(fault)) }
  const frames = (fault.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  // Prisma prints the whole invocation, values included, before its last line.
  const message = fault.name.startsWith('PrismaClient')
    ? (fault.message.trim().split('\n').at(-1) ?? '')
    : fault.message
  const code = (fault as { code?: unknown }).code
  return { name: fault.name, ...(code ? { code } : {}), message: mask(message), stack: frames.slice(0, 12).join('\n') }
}

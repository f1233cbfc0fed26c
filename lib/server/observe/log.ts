import cluster from 'node:cluster'
import pino, { type DestinationStream, type Logger } from 'pino'
import { currentRequest } from '#lib/queue/current-request'

export type Log = Logger

/**
 * Makes the log: JSON, or readable lines on a terminal. Masks every string, so that no address or secret is logged.
 */
export function makeLog(level: string, destination: DestinationStream = standardOutput()): Log {
  return pino(
    {
      level,
      // Several workers write to one log.
      base: cluster.isWorker ? { pid: process.pid } : null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeFault },
      mixin() {
        const requestId = currentRequest()?.id
        return requestId === undefined ? {} : { requestId }
      },
    },
    // Masks whole lines, so that no text bypasses it.
    { write: (line: string) => void destination.write(`${JSON.stringify(maskAll(JSON.parse(line)))}\n`) },
  )
}

/** Redirects the console into the log, because Next reports errors of pages on the console. */
export function takeConsole(log: Log): void {
  for (const [name, level] of [
    ['error', 'error'],
    ['warn', 'warn'],
    ['log', 'info'],
  ] as const) {
    console[name] = (...values: unknown[]) => {
      // Only the first line is logged; further lines may quote arguments.
      const text = values
        .filter((one) => typeof one === 'string')
        .join(' ')
        .trim()
      const [line = ''] = text.split('\n')
      log[nodeWarning.test(line) ? 'warn' : level](
        { err: values.find((one) => one instanceof Error) },
        line || 'console output',
      )
    }
  }
}

/** Node prints warnings by console.error: `(node:7) DeprecationWarning: …`. */
const nodeWarning = /^\(node:\d+\) \w*Warning: /

const standardOutput = () =>
  process.stdout.isTTY
    ? pino.transport({ target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' } })
    : pino.destination({ fd: 1, sync: false })

const mailAddress = /[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g
/** Codes, tokens, hashes and sealed values are long runs of these characters; request ids are shorter. */
const longSecret = /[A-Za-z0-9_\-+/=.~]{32,}/g

/** Replaces e-mail addresses, and all text that could be a secret. */
export const mask = (text: string) => text.replace(mailAddress, '[address]').replace(longSecret, '[secret]')

/** Fields without values of a request, whose texts may be long: names of files and functions, and templates of paths. */
const unmasked: readonly (string | undefined)[] = ['stack', 'route']

/** Masks every string except those of the fields above. */
function maskAll(value: unknown, name?: string): unknown {
  if (typeof value === 'string') return unmasked.includes(name) ? value : mask(value)
  if (Array.isArray(value)) return value.map((one) => maskAll(one))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskAll(one, key)]))
}

/** Describes an error by its message and stack frames, without the arguments that a library quotes. */
function describeFault(fault: unknown) {
  if (!(fault instanceof Error)) return { message: String(fault) }
  const frames = (fault.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  // Prisma's message contains the whole call with its values; only the last line is the reason.
  const message = fault.name.startsWith('PrismaClient')
    ? (fault.message.trim().split('\n').at(-1) ?? '')
    : fault.message
  const code = (fault as { code?: unknown }).code
  return { name: fault.name, ...(code ? { code } : {}), message, stack: frames.slice(0, 12).join('\n') }
}

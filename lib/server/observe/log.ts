import pino, { type DestinationStream, type Logger } from 'pino'
import { currentRequest } from '#lib/queue/current-request'

export type Log = Logger

/** JSON logs, readable on a terminal; no string in them can carry an address or a secret. */
export function makeLog(level: string, destination: DestinationStream = standardOutput()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeFault },
      mixin() {
        const requestId = currentRequest()?.id
        return requestId === undefined ? {} : { requestId }
      },
    },
    // The last place a line passes: whatever way a text came into it.
    { write: (line: string) => void destination.write(`${JSON.stringify(maskAll(JSON.parse(line)))}\n`) },
  )
}

/** What libraries say on the console becomes lines like ours; Next tells of faults in pages there. */
export function takeConsole(log: Log): void {
  for (const [name, level] of [
    ['error', 'error'],
    ['warn', 'warn'],
    ['log', 'info'],
  ] as const) {
    console[name] = (...said: unknown[]) => {
      // Further lines may quote what a call was given.
      const text = said
        .filter((one) => typeof one === 'string')
        .join(' ')
        .trim()
      const [line = ''] = text.split('\n')
      log[nodeWarning.test(line) ? 'warn' : level](
        { err: said.find((one) => one instanceof Error) },
        line || 'said on the console',
      )
    }
  }
}

/** Node says as an error what is none yet: `(node:7) DeprecationWarning: …`. */
const nodeWarning = /^\(node:\d+\) \w*Warning: /

const standardOutput = () =>
  process.stdout.isTTY
    ? pino.transport({ target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' } })
    : pino.destination({ fd: 1, sync: false })

const mailAddress = /[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g
/** Codes, tokens, hashes and sealed values are long unbroken runs; request ids are shorter. */
const longSecret = /[A-Za-z0-9_\-+/=.~]{32,}/g

/** Takes addresses and anything that could be a secret out of a text. */
export const mask = (text: string) => text.replace(mailAddress, '[address]').replace(longSecret, '[secret]')

/** Of a stack only frames are kept: names of files and functions, which may be long. */
function maskAll(value: unknown, name?: string): unknown {
  if (typeof value === 'string') return name === 'stack' ? value : mask(value)
  if (Array.isArray(value)) return value.map((one) => maskAll(one))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskAll(one, key)]))
}

/** A stack helps the operator; arguments that a library quotes in its message must not. */
function describeFault(fault: unknown) {
  if (!(fault instanceof Error)) return { message: String(fault) }
  const frames = (fault.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  // Prisma prints the whole invocation, values included, before its last line.
  const message = fault.name.startsWith('PrismaClient')
    ? (fault.message.trim().split('\n').at(-1) ?? '')
    : fault.message
  const code = (fault as { code?: unknown }).code
  return { name: fault.name, ...(code ? { code } : {}), message, stack: frames.slice(0, 12).join('\n') }
}

import { Readable } from 'node:stream'
import type { SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import type { HopConnection } from './hop-connection.ts'
import type { Outgoing, TransactionResult } from './outgoing.ts'

/** The connection was lost or closed before any byte of the message was sent; a new connection may work. */
type Dropped = { kind: 'dropped'; code?: number; detail: string }

/**
 * Sends one message (RFC 5321 §3.3). Throws when the message cannot be read; the connection is closed before the
 * final dot, so the server discards the message (RFC 5321 §4.1.1.4).
 */
export async function runTransaction(
  connection: HopConnection,
  message: Outgoing,
  silence: number,
  signal: AbortSignal,
): Promise<TransactionResult | Dropped> {
  const utf8 = message.utf8 || !isAscii(message.from + message.to)
  const lacks = connection.lackFor({ ...message, utf8 })
  if (lacks) return { kind: 'incapable', lacks }
  const progress: Progress = { begun: false, read: false }
  const source = Readable.from(content(message, progress, connection), { objectMode: false })
  const envelope = { from: message.from, to: [message.to], size: message.size, use8BitMime: message.eightBit || utf8 }
  connection.waitAtMost(silence)
  connection.limitAnswers(silence)
  connection.sayUtf8(utf8)
  try {
    const { response } = await connection.during<SMTPConnectionSendInfo>(signal, (done) =>
      connection.send(envelope, source, done),
    )
    if (progress.read && /^2\d\d(?:[ -]|$)/.test(response)) return { kind: 'taken', response }
    return { kind: 'later', detail: `no answer to the message: ${response}` }
  } catch (err) {
    if ('fault' in progress) throw progress.fault
    return judge(err as HopError, progress)
  } finally {
    source.destroy()
  }
}

type Progress = { begun: boolean; read: boolean; fault?: unknown }

type HopError = Error & { code?: string; command?: string; responseCode?: number; response?: string }

/**
 * Yields the message once the server asks for it. A read that ends early is an error, so a truncated message is never
 * completed.
 */
async function* content(message: Outgoing, progress: Progress, connection: HopConnection) {
  progress.begun = true
  connection.limitAnswers(0)
  let size = 0
  try {
    for await (const chunk of message.read() as AsyncIterable<Buffer>) {
      size += chunk.length
      yield chunk
    }
    if (size !== message.size) throw new Error(`A message of ${message.size} bytes ended after ${size}.`)
  } catch (fault) {
    progress.fault = fault
    throw fault
  }
  progress.read = true
  // The server may take as long over the whole message as the transaction limit allows (RFC 5321 §4.5.3.2.6).
  connection.waitAtMost(0)
}

function judge(err: HopError, { begun }: Progress): TransactionResult | Dropped {
  const { responseCode: code, response = '' } = err
  if (err.code === 'EENVELOPE' && err.command === 'API') throw err
  const detail = [err.command, err.message].filter(Boolean).join(': ')
  // A truncated line, or one sent while a connection closes, is not a reliable reply.
  const answered = err.code === 'EENVELOPE' || err.code === 'EMESSAGE'
  if (answered && code !== undefined && code >= 500 && !aboutUs.has(code)) {
    const [, status] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
    // A refusal of the sender address says nothing about the inbox.
    return { kind: 'refused', code, ...(status && err.command !== 'MAIL FROM' && { status }), detail }
  }
  const known = code === undefined ? { detail } : { code, detail }
  const lost = !answered || code === 421
  return lost && !begun ? { kind: 'dropped', ...known } : { kind: 'later', ...known }
}

/** Access and sequence errors, which do not concern the message itself. */
const aboutUs = new Set([503, 530, 534, 535, 538])

const isAscii = (text: string) => Buffer.byteLength(text) === text.length

import { Readable } from 'node:stream'
import type { SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection'
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import { smtpOptions } from '#lib/text/smtp-options'
import type { Lack, Outgoing, TransactionResult } from './outgoing.ts'

/** Members of nodemailer's connection that its types omit; the version is pinned, and tests check what is sent. */
type Inside = {
  _supportedExtensions: string[]
  _maxAllowedSize: number
  _sendCommand(command: string, shown?: string): void
}

const Connection = SMTPConnection as unknown as new (options: SMTPConnectionOptions) => SMTPConnection & Inside

/** A connection to the next mail server: nodemailer's, with the extensions that a relay needs. */
export class HopConnection extends Connection {
  #saysUtf8 = false
  #answerTime = 0
  #answerTimer: NodeJS.Timeout | undefined

  constructor(options: SMTPConnectionOptions) {
    super(options)
    // An error without a listener must end the connection, not the process.
    this.on('error', () => undefined)
    this.once('end', () => clearTimeout(this.#answerTimer))
  }

  /** Returns the first extension that this message needs and the server lacks (RFC 1870, 6152, 6531). */
  lackFor({ size, eightBit, utf8 }: Pick<Outgoing, 'size' | 'eightBit' | 'utf8'>): Lack | undefined {
    const has = (keyword: Lack) => this._supportedExtensions.includes(keyword)
    if (utf8 && !has('SMTPUTF8')) return 'SMTPUTF8'
    if (eightBit && !has('8BITMIME')) return '8BITMIME'
    return this._maxAllowedSize > 0 && size > this._maxAllowedSize ? 'SIZE' : undefined
  }

  /** Closes the connection after this many milliseconds without traffic; 0 disables the limit. */
  waitAtMost(milliseconds: number): void {
    if (this._socket) this._socket.setTimeout(milliseconds)
  }

  /** Whether the next MAIL FROM carries SMTPUTF8. nodemailer adds it for addresses only, but headers need it too. */
  sayUtf8(says: boolean): void {
    this.#saysUtf8 = says
  }

  /** Limits the time from each command to the end of its reply, in milliseconds; 0 disables the limit. */
  limitAnswers(milliseconds: number): void {
    this.#answerTime = milliseconds
    clearTimeout(this.#answerTimer)
  }

  #awaitAnswer(): void {
    clearTimeout(this.#answerTimer)
    if (this.#answerTime === 0) return
    this.#answerTimer = setTimeout(() => {
      this.emit('error', new Error('no whole answer in time'))
      this.close()
    }, this.#answerTime)
  }

  override _sendCommand(command: string, shown?: string): void {
    this.#awaitAnswer()
    const silent = command.startsWith('MAIL FROM:') && !/> (.* )?SMTPUTF8( |$)/.test(command)
    super._sendCommand(this.#saysUtf8 && silent ? `${command} SMTPUTF8` : command, shown)
  }

  /** Runs a callback operation; rejects on a connection error, on its end and on abort. */
  async during<T>(signal: AbortSignal, begin: (done: Answer<T>) => void): Promise<T> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // Deferred, because the callback, which follows this event, carries the better error.
    const end = () => setImmediate(() => reject(new Error('the connection ended')))
    const abort = () => {
      reject(signal.reason)
      this.close()
    }
    this.once('error', reject).once('end', end)
    signal.addEventListener('abort', abort, { once: true })
    try {
      begin((fault, result) => (fault ? reject(fault) : resolve(result as T)))
      return await promise
    } finally {
      this.off('error', reject).off('end', end)
      signal.removeEventListener('abort', abort)
    }
  }
}

type Answer<T> = (fault?: Error | null, result?: T) => void

/**
 * Time limits in milliseconds: for the greeting and TLS, for each reply, for a whole message, and for an unused
 * connection.
 */
export type HopTimes = { connecting: number; command: number; whole: number; idle: number }

/**
 * Opens a connection, with TLS where the server offers it, and logs in when SMTP_URL has a password. `smtpOptions`
 * decides whether TLS is required, as for Postern's own e-mails.
 */
export async function connectToHop(smtpUrl: string, times: HopTimes, signal: AbortSignal): Promise<HopConnection> {
  const { auth, ...options } = smtpOptions(smtpUrl)
  const connection = new HopConnection({
    ...options,
    connectionTimeout: times.connecting,
    greetingTimeout: times.connecting,
    dnsTimeout: times.connecting,
    socketTimeout: times.command,
    // Close at once: bytes still unsent when we give up must not arrive afterwards.
    socketCloseTimeout: 0,
    logger: false,
  })
  connection.limitAnswers(times.command)
  try {
    await connection.during<void>(signal, (done) => connection.connect(done))
    if (auth && connection.allowsAuth) {
      await connection.during<boolean>(signal, (done) => connection.login({ ...auth }, done))
    }
    connection.limitAnswers(0)
    return connection
  } catch (fault) {
    connection.close()
    throw fault
  }
}

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

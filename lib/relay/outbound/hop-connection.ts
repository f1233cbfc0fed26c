import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import { smtpOptions } from '#lib/text/smtp-options'
import type { Lack, Outgoing } from './outgoing.ts'

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
 * Opens a connection, with TLS where the server offers it. Logs in when SMTP_URL has a password, and then requires
 * TLS. Reads the URL and its query options in the same way as for Postern's own e-mails.
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

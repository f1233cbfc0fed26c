import { connect, type Socket } from 'node:net'

export type Mail = { from: string; to: string; head: Buffer; body: Buffer }

/** A persistent SMTP connection. `send` resolves when the server has accepted the message. */
export type Smtp = { send(mail: Mail): Promise<void>; close(): void }

/**
 * Connects, sends EHLO and keeps the connection. Does the minimum a client can do, so that its own CPU time stays
 * small.
 */
export async function openSmtp(port: number, from: string): Promise<Smtp> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true })
  const answers = readAnswers(socket)
  const say = async (line: string | undefined, code: string, ...more: Buffer[]) => {
    if (line !== undefined) socket.write(`${line}\r\n`)
    for (const bytes of more) socket.write(bytes)
    const answer = await answers.next()
    if (!answer.startsWith(code)) throw new Error(`${line ?? 'the message'} was answered: ${answer}`)
  }
  await say(undefined, '220')
  await say('EHLO mail.acme.example', '250')
  return {
    async send({ from, to, head, body }) {
      await say(`MAIL FROM:<${from}>`, '250')
      await say(`RCPT TO:<${to}>`, '250')
      await say('DATA', '354')
      await say(undefined, '250', head, body)
    },
    close: () => socket.destroy(),
  }
}

/** Yields complete replies in order; of a multi-line reply, only its last line (RFC 5321 §4.2.1). */
function readAnswers(socket: Socket) {
  let text = ''
  let fault: Error | undefined
  let waiting: PromiseWithResolvers<string> | undefined
  const look = () => {
    const last = /^\d{3}(?: .*)?\r\n/m.exec(text)
    if (waiting && last) {
      text = text.slice(last.index + last[0].length)
      waiting.resolve(last[0].trimEnd())
      waiting = undefined
    } else if (waiting && fault) waiting.reject(fault)
  }
  const end = (reason: Error) => {
    fault ??= reason
    look()
  }
  socket.setEncoding('latin1')
  socket.on('data', (piece) => {
    text += piece
    look()
  })
  socket.on('error', end)
  socket.on('close', () => end(new Error('The server closed the connection.')))
  return {
    next(): Promise<string> {
      waiting = Promise.withResolvers<string>()
      look()
      return waiting.promise
    },
  }
}

import { connect } from 'node:net'
import { createInterface } from 'node:readline'

export type Said = { code: number; text: string }

/** Speaks SMTP line by line with full control over every byte, unlike a library. */
export async function speakSmtp(port: number, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const answer = async (): Promise<Said> => {
    for (;;) {
      // Code 0 means that the connection was closed or reset.
      const { value } = await lines.next().catch(() => ended)
      if (value === undefined) return { code: 0, text: 'the connection was closed' }
      // "250-…" continues; "250 …" is the last line.
      if (/^\d{3} /.test(value)) return { code: Number(value.slice(0, 3)), text: value.slice(4) }
    }
  }
  const say = async (line: string | Buffer): Promise<Said> => {
    socket.write(typeof line === 'string' ? `${line}\r\n` : line)
    return answer()
  }
  const greeting = await answer()
  return { greeting, say, answer, socket, close: () => socket.destroy() }
}

const ended = { value: undefined }

/** Sends one message to one recipient. Returns the first rejection, or the reply to the message. */
export async function sendMessage(
  port: number,
  { from, to, message, helo = 'mail.acme.example', localAddress }: Sending,
) {
  const smtp = await speakSmtp(port, localAddress)
  try {
    if (smtp.greeting.code !== 220) return smtp.greeting
    for (const line of [`EHLO ${helo}`, `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) {
      const said = await smtp.say(line)
      if (said.code >= 400 || said.code === 0) return said
    }
    return await smtp.say(Buffer.concat([stuffed(message), Buffer.from('.\r\n')]))
  } finally {
    smtp.close()
  }
}

export type Sending = { from: string; to: string; message: string | Buffer; helo?: string; localAddress?: string }

/** RFC 5321 §4.5.2. */
function stuffed(message: string | Buffer): Buffer {
  const text = (typeof message === 'string' ? Buffer.from(message) : message).toString('latin1')
  const whole = text.endsWith('\r\n') ? text : `${text}\r\n`
  return Buffer.from(whole.replace(/^\./gm, '..'), 'latin1')
}

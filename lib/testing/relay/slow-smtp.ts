import { speakSmtp } from './speak-smtp.ts'

type Smtp = Awaited<ReturnType<typeof speakSmtp>>

/** Opens a connection and sends every command up to DATA, but not the message. */
export async function readyForData(port: number, to: string, localAddress?: string): Promise<Smtp> {
  const smtp = await speakSmtp(port, localAddress)
  for (const line of ['EHLO mail.acme.example', 'MAIL FROM:<news@acme.example>', `RCPT TO:<${to}>`, 'DATA'])
    await smtp.say(line)
  return smtp
}

/** Sends NOOP and returns every reply of the server up to the reply to NOOP. */
export async function saidUntilNoop(smtp: Smtp): Promise<string[]> {
  const said: string[] = []
  smtp.socket.write('NOOP\r\n')
  for (;;) {
    const { code, text } = await smtp.answer()
    said.push(`${code} ${text}`)
    if (code === 0 || text === 'OK') return said
  }
}

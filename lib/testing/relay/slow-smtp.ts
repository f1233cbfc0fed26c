import { speakSmtp } from './speak-smtp.ts'

type Smtp = Awaited<ReturnType<typeof speakSmtp>>

/** A connection that has said all there is to say before the message, and waits to send it. */
export async function readyForData(port: number, to: string, localAddress?: string): Promise<Smtp> {
  const smtp = await speakSmtp(port, localAddress)
  for (const line of ['EHLO mail.acme.example', 'MAIL FROM:<news@acme.example>', `RCPT TO:<${to}>`, 'DATA'])
    await smtp.say(line)
  return smtp
}

/** Everything a server says until it has been silent for a round trip: NOOP is answered last. */
export async function saidUntilNoop(smtp: Smtp): Promise<string[]> {
  const said: string[] = []
  smtp.socket.write('NOOP\r\n')
  for (;;) {
    const { code, text } = await smtp.answer()
    said.push(`${code} ${text}`)
    if (code === 0 || text === 'OK') return said
  }
}

import { speakSmtp } from './speak-smtp.ts'

type Smtp = Awaited<ReturnType<typeof speakSmtp>>

/** Opens a connection that has sent every command before the message and waits to send it. */
export async function readyForData(port: number, to: string, localAddress?: string): Promise<Smtp> {
  const smtp = await speakSmtp(port, localAddress)
  for (const line of ['EHLO mail.acme.example', 'MAIL FROM:<news@acme.example>', `RCPT TO:<${to}>`, 'DATA'])
    await smtp.say(line)
  return smtp
}

/** Returns everything the server sends up to the reply to NOOP, which is the last one. */
export async function saidUntilNoop(smtp: Smtp): Promise<string[]> {
  const said: string[] = []
  smtp.socket.write('NOOP\r\n')
  for (;;) {
    const { code, text } = await smtp.answer()
    said.push(`${code} ${text}`)
    if (code === 0 || text === 'OK') return said
  }
}

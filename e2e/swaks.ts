import { execFile } from 'node:child_process'
import { aptInstall, canAptInstall, onPath } from '../bin/apt.mjs'

export type Spoken = {
  /** The codes of rejected recipients, then the code of the reply to the message, if the message was sent. */
  codes: number[]
  text: string
}

/** Sends one message with swaks, as an operator would to test a server. */
export async function swaks(port: number, { to, subject = 'Hello', xclient }: Sending): Promise<Spoken> {
  if (onPath('swaks') === null && canAptInstall()) await aptInstall('swaks')
  const who = ['--helo', 'app.example', '--from', 'news@acme.example', '--to', to.join(',')]
  const what = ['--header', `Subject: ${subject}`, '--header', `To: <${to[0]}>`, '--body', `${subject}, in short.`]
  const how = ['--server', '127.0.0.1', '--port', String(port), '--timeout', '60']
  const text = await run([...how, ...who, ...what, ...(xclient ? ['--xclient', xclient] : [])])
  return { codes: answersOf(text), text }
}

type Sending = { to: string[]; subject?: string; xclient?: string }

/** swaks prints the server's replies after `<-` or `<**` and reports success in its exit code. */
function run(args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('swaks', args, { timeout: 120_000 }, (fault, stdout, stderr) => {
      if (fault && typeof fault.code !== 'number') reject(fault)
      else resolve(`${stdout}${stderr}`)
    })
  })
}

function answersOf(text: string): number[] {
  const lines = text.split('\n')
  const end = lines.indexOf(' -> .')
  const toRecipients = lines.filter((line) => line.startsWith('<** '))
  const toMessage =
    end === -1
      ? []
      : lines
          .slice(end + 1)
          .filter((line) => /^<(-|\*\*) /.test(line))
          .slice(0, 1)
  const all = [...toRecipients.filter((line) => !toMessage.includes(line)), ...toMessage]
  return all.map((line) => Number(/\d{3}/.exec(line)?.[0]))
}

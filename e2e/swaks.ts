import { execFile } from 'node:child_process'
import { aptInstall, canAptInstall, onPath } from '../bin/apt.mjs'

export type Spoken = {
  /** Every refusal of a recipient, and then what was said to the message, if it came to that. */
  codes: number[]
  text: string
}

/** One message sent by swaks, as an operator would try a server out. */
export async function swaks(port: number, { to, subject = 'Hello', xclient }: Sending): Promise<Spoken> {
  if (onPath('swaks') === null && canAptInstall()) await aptInstall('swaks')
  const who = ['--helo', 'app.example', '--from', 'news@acme.example', '--to', to.join(',')]
  const what = ['--header', `Subject: ${subject}`, '--header', `To: <${to[0]}>`, '--body', `${subject}, in short.`]
  const how = ['--server', '127.0.0.1', '--port', String(port), '--timeout', '60']
  const text = await run([...how, ...who, ...what, ...(xclient ? ['--xclient', xclient] : [])])
  return { codes: answersOf(text), text }
}

type Sending = { to: string[]; subject?: string; xclient?: string }

/** swaks shows what the other side said after `<-` or `<**`, and says by its exit code whether all went well. */
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

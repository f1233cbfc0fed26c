import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'
import { checkHead, loopMark } from '#lib/relay/message/head'
import { spool, spoolSizes } from '#lib/relay/message/spool'
import { readFields } from '#lib/relay/mime/header-fields'
import type { Relay } from '#lib/relay/relay'
import { forwardTo } from './forward.ts'

export type TestLetter = { from: string; subject: string; text: string }

/** Sends a message of the service to an alias, on the same path as an app's message and as a proven sender. */
export async function sendTest(
  relay: Relay,
  alias: string,
  write: (languages: string[], name: string) => TestLetter,
): Promise<'sent' | 'closed' | 'unavailable'> {
  const route = await relay.store.findRoute(alias)
  if (route?.state !== 'open') return route?.state === 'unreachable' ? 'unavailable' : 'closed'
  const to = `${alias}@${relay.domain}`
  const letter = write(route.person.languages, route.app?.name ?? route.label)
  const raw = await writeMessage({ ...letter, to, date: relay.now() })
  const message = await spool(Readable.from([raw]), { ...spoolSizes, folder: tmpdir() })
  if (message.kind !== 'spooled') throw new Error(`The test message is refused: ${message.kind}`)
  try {
    const fields = readFields(message.head)
    const head = checkHead(fields, loopMark(relay.keys.mark[0], alias))
    if (head.kind !== 'sound') throw new Error(`The test message is refused: ${head.kind}`)
    const client = { ip: '127.0.0.1', helo: 'localhost' }
    // A person waits on a page for the result.
    const answerBy = new Date(relay.now().getTime() + patience)
    const incoming = { client, from: head.from.address, to, protocol: 'LOCAL', saysUtf8: false, message, answerBy }
    const { code } = await forwardTo(relay, incoming, route, fields, { from: head.from, answerTo: head.from.address })
    return code === 250 ? 'sent' : 'unavailable'
  } finally {
    await message.discard()
  }
}

/** Milliseconds. */
const patience = 30_000

async function writeMessage(letter: TestLetter & { to: string; date: Date }): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await transport.sendMail({ ...letter, headers: { 'Auto-Submitted': 'auto-generated' } })
  return message as Buffer
}

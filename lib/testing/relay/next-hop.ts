import { once } from 'node:events'
import type { Server } from 'node:net'
import { Readable } from 'node:stream'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { openNextHop } from '#lib/relay/outbound/next-hop'
import type { Outgoing } from '#lib/relay/outbound/outgoing'
import type { HopTimes } from '#lib/relay/outbound/smtp-client'
import { openScriptedHop, type Script } from './scripted-hop.ts'

const patient: HopTimes = { connecting: 20_000, command: 20_000, whole: 40_000, idle: 20_000 }
const opened: (() => Promise<unknown>)[] = []

/** Closes every server and next hop that a test opened with this module, in reverse order. */
export async function closeHops(): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close()
}

/** Opens a scripted server and a next hop that connects to it. */
export async function openHop(script: Script | ((connection: number) => Script) = {}, times: Partial<HopTimes> = {}) {
  const server = await openScriptedHop(script)
  opened.push(server.close)
  return { server, hop: hopTo(server.url, times) }
}

export function hopTo(url: string, times: Partial<HopTimes> = {}) {
  const hop = openNextHop(url, { ...patient, ...times })
  opened.push(hop.close)
  return hop
}

export const plain = Buffer.from('Subject: x\r\n\r\nhello\r\n')
export const letter = (content: Buffer = plain, rest: Partial<Outgoing> = {}): Outgoing => ({
  from: 'b-token@relay.example',
  to: 'ada@example.org',
  size: content.length,
  eightBit: false,
  utf8: false,
  read: () => Readable.from(pieces(content), { objectMode: false }),
  ...rest,
})
export const pieces = (content: Buffer, size = 64 * 1024) =>
  Array.from({ length: Math.ceil(content.length / size) }, (_, at) => content.subarray(at * size, (at + 1) * size))

/** Opens smtp-server with STARTTLS and an untrusted certificate. */
export async function openRealServer(options: SMTPServerOptions = {}) {
  const messages: Buffer[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        messages.push(Buffer.concat(chunks))
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  const listener = server.listen(0, '127.0.0.1') as Server
  await once(listener, 'listening')
  opened.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { messages, port: (listener.address() as { port: number }).port }
}

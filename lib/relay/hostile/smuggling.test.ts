import { expect, it } from 'vitest'
import { appMessage, openRelayTest, rawText } from '#lib/testing/relay/relay'
import { readyForData, saidUntilNoop } from '#lib/testing/relay/slow-smtp'

/** Sequences that some mail servers accept as the end of a message, although RFC 5321 does not. */
const ends = [
  '\n.\n',
  '\n.\r\n',
  '\r.\r',
  '\r\n.\n',
  '\r\n.\r',
  '\r.\r\n',
  '\r\n\0.\r\n',
  '\r\n.\0\r\n',
  '\r\n.\r\r\n',
  '\n\n.\n\n',
  '\r\n .\r\n',
  '\r\n. \r\n',
  '\r\n..\r\n',
  '\r\n...\r\n',
  '\r\n.\x85\r\n',
]

/** A second message in the same transaction, sent after the sequence. */
const second = (alias: string) =>
  `MAIL FROM:<boss@acme.example>\r\nRCPT TO:<${alias}>\r\nDATA\r\nFrom: Boss <boss@acme.example>\r\nSubject: smuggled\r\n\r\nx`

type Opened = Awaited<ReturnType<typeof openRelayTest>>

async function smuggle({ server, alias, hop }: Opened, end: string, pieces: (bytes: Buffer) => Buffer[]) {
  hop.arrived.length = 0
  const smtp = await readyForData(server.port, alias)
  const bytes = Buffer.from(`${appMessage(alias)}a${end}${second(alias)}\r\n.\r\n`, 'latin1')
  smtp.socket.setNoDelay(true)
  for (const piece of pieces(bytes)) await new Promise((resolve) => smtp.socket.write(piece, resolve))
  const said = await saidUntilNoop(smtp)
  smtp.close()
  return { said, arrived: hop.arrived }
}

const whole = (bytes: Buffer) => [bytes]
const single = (bytes: Buffer) => Array.from(bytes, (byte) => Buffer.from([byte]))

it.each([
  ['at once', whole],
  ['byte by byte', single],
])('passes no second message after any of these sequences, sent %s', async (_, pieces) => {
  const opened = await openRelayTest()
  for (const end of ends) {
    const { said, arrived } = await smuggle(opened, end, pieces)
    // One reply to the message and one to NOOP: the server has read no command in between.
    expect([end, said]).toEqual([end, [expect.stringMatching(/^(250 2\.0\.0|550 5\.6\.0)/), '250 OK']])
    expect(arrived).toHaveLength(said[0]?.startsWith('250') ? 1 : 0)
    // A forwarded message contains no bare line break.
    for (const { raw } of arrived) expect(rawText(raw)).not.toMatch(/(?<!\r)\n|\r(?!\n)|\0/)
  }
})

it.each([
  ['.', '.\r\nx\r\n', '\r\n.\r\n'],
  ['..\r', '\nx\r\n', '.\r\n'],
  ['..', '\r\n.', '\r\n'],
  ['x\r\n.', '.\r\nx\r\n.', '\r\n'],
  ['x\r', '\n.', '.\r\nx\r\n.\r', '\n'],
])('unstuffs a dot across segments: %j', async (...pieces) => {
  const { server, alias, hop } = await openRelayTest()
  const smtp = await readyForData(server.port, alias)
  smtp.socket.setNoDelay(true)
  const head = appMessage(alias, { body: '' })
  for (const piece of [head, ...pieces]) await new Promise((resolve) => smtp.socket.write(piece, resolve))
  expect(await smtp.answer()).toMatchObject({ code: 250 })
  smtp.close()
  const body = pieces
    .join('')
    .replace(/\r\n\.\r\n$/, '\r\n')
    .replace(/^\./gm, '')
  expect(rawText(hop.arrived[0]?.raw).split('\r\n\r\n').slice(1).join('\r\n\r\n')).toBe(body)
})

it('rejects commands that were sent before the reply to the message', async () => {
  const { server, alias, hop } = await openRelayTest()
  const smtp = await readyForData(server.port, alias)
  smtp.socket.write(`${appMessage(alias)}.\r\nRCPT TO:<x@elsewhere.example>\r\nDATA\r\n`)
  const said = await saidUntilNoop(smtp)
  smtp.close()
  expect(said.map((line) => line.slice(0, 3))).toEqual(['250', '503', '503', '250'])
  expect(hop.arrived).toHaveLength(1)
})

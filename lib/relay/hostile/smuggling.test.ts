import { expect, test } from 'vitest'
import { appMessage, openRelayTest, rawText } from '#lib/testing/relay/relay'
import { readyForData, saidUntilNoop } from '#lib/testing/relay/slow-smtp'

/** What some mail server takes for the end of a message, and RFC 5321 does not. */
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

/** After it, a second message in the same transaction. */
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

test.each([
  ['at once', whole],
  ['byte by byte', single],
])('no second message passes after any of these ends, sent %s', async (_, pieces) => {
  const opened = await openRelayTest()
  for (const end of ends) {
    const { said, arrived } = await smuggle(opened, end, pieces)
    // One answer to the message, one to NOOP: nothing in between was a command.
    expect([end, said]).toEqual([end, [expect.stringMatching(/^(250 2\.0\.0|550 5\.6\.0)/), '250 OK']])
    expect(arrived).toHaveLength(said[0]?.startsWith('250') ? 1 : 0)
    // What goes on has no line break that is none.
    for (const { raw } of arrived) expect(rawText(raw)).not.toMatch(/(?<!\r)\n|\r(?!\n)|\0/)
  }
})

test.each([
  ['.', '.\r\nx\r\n', '\r\n.\r\n'],
  ['..\r', '\nx\r\n', '.\r\n'],
  ['..', '\r\n.', '\r\n'],
  ['x\r\n.', '.\r\nx\r\n.', '\r\n'],
  ['x\r', '\n.', '.\r\nx\r\n.\r', '\n'],
])('a dot doubled across segments is a dot: %j', async (...pieces) => {
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

test('commands sent before the answer to STARTTLS or to the message are no commands of the other side', async () => {
  const { server, alias, hop } = await openRelayTest()
  const smtp = await readyForData(server.port, alias)
  smtp.socket.write(`${appMessage(alias)}.\r\nRCPT TO:<x@elsewhere.example>\r\nDATA\r\n`)
  const said = await saidUntilNoop(smtp)
  smtp.close()
  expect(said.map((line) => line.slice(0, 3))).toEqual(['250', '503', '503', '250'])
  expect(hop.arrived).toHaveLength(1)
})

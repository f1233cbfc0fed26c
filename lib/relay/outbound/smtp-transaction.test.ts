import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { closeHops, hopTo, letter, openHop, openRealServer, pieces, plain } from '#lib/testing/relay/next-hop'
import type { Script } from '#lib/testing/relay/scripted-hop'
import type { Outgoing } from './outgoing.ts'

afterEach(closeHops)

describe('a message that is taken', () => {
  test('is answered with what the server said, under its envelope', async () => {
    const { server, hop } = await openHop()
    expect(await hop.send(letter())).toEqual({ kind: 'taken', response: '250 2.0.0 kept' })
    expect(await hop.send(letter(plain, { from: '' }))).toMatchObject({ kind: 'taken' })
    expect(server.messages).toEqual([plain, plain])
    expect(server.commands.filter((line) => /^(MAIL|RCPT)/.test(line))).toEqual([
      `MAIL FROM:<b-token@relay.example> SIZE=${plain.length}`,
      'RCPT TO:<ada@example.org>',
      `MAIL FROM:<> SIZE=${plain.length}`,
      'RCPT TO:<ada@example.org>',
    ])
  })

  test('arrives to the byte, whatever its lines are and however it is cut', async () => {
    const { server, hop } = await openHop()
    const line = fc.oneof(
      fc.constantFrom('', '.', '..', '.\t', 'QUIT', 'From x', '\0', 'a'.repeat(5000), '\xff\xfe'),
      fc.string({ unit: fc.constantFrom('.', 'a', '\xe9', '\0', ' ') }),
    )
    const message = fc.tuple(fc.array(line, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 40 }))
    await fc.assert(
      fc.asyncProperty(message, async ([lines, size]) => {
        const content = Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1')
        const read = () => Readable.from(pieces(content, size), { objectMode: false })
        expect(await hop.send(letter(content, { eightBit: true, read }))).toMatchObject({ kind: 'taken' })
        expect(server.messages.pop()).toEqual(content)
      }),
      { numRuns: 60 },
    )
  })

  test('arrives to the byte at 25 MiB, at another server too, with pipelining', async () => {
    const { port, messages } = await openRealServer()
    const content = linesOf(randomBytes(25 * 1024 * 1024))
    const hash = (bytes?: Buffer) =>
      createHash('sha256')
        .update(bytes ?? '')
        .digest('hex')
    expect(
      await hopTo(`smtp://127.0.0.1:${port}?ignoreTLS=true`).send(letter(content, { eightBit: true })),
    ).toMatchObject({
      kind: 'taken',
    })
    expect(hash(messages[0])).toBe(hash(content))
  })

  test('without a last line break gets one, as SMTP carries it', async () => {
    const { server, hop } = await openHop()
    await hop.send(letter(Buffer.from('A: b\r\n\r\nend')))
    expect(server.messages).toEqual([Buffer.from('A: b\r\n\r\nend\r\n')])
  })
})

/** The same number of bytes as lines of a hundred; many begin with a dot. */
function linesOf(bytes: Buffer): Buffer {
  const lines = bytes.map((byte) => (byte < 0x10 ? 0x2e : byte))
  for (let end = bytes.length; end >= 2; end -= 100) lines.set([0x0d, 0x0a], end - 2)
  return Buffer.from(lines)
}

describe('what a message needs', () => {
  const lacking = (...keywords: string[]) => ({
    EHLO: ['250-hop.example', ...keywords.map((k) => `250-${k}`), '250 HELP'].join('\r\n'),
  })
  test.each<[string, Script, Partial<Outgoing>, string]>([
    ['8-bit bytes', lacking('SMTPUTF8'), { eightBit: true }, '8BITMIME'],
    ['a header in UTF-8', lacking('8BITMIME'), { utf8: true }, 'SMTPUTF8'],
    ['an address in UTF-8', lacking('8BITMIME'), { to: 'ädä@example.org' }, 'SMTPUTF8'],
    ['a sender in UTF-8', lacking('8BITMIME'), { from: 'é@example.org' }, 'SMTPUTF8'],
    ['more room', lacking('SIZE 10'), {}, 'SIZE'],
    ['anything, from a server of 1982', { EHLO: '502 what?' }, { eightBit: true }, '8BITMIME'],
  ])(
    '%s, and the server lacks it: nothing is said, and the connection is good for another',
    async (_, script, rest, lacks) => {
      const { server, hop } = await openHop(script)
      expect(await hop.send(letter(plain, rest))).toEqual({ kind: 'incapable', lacks })
      expect(server.commands.filter((line) => /^MAIL/.test(line))).toEqual([])
      await hop.send(letter(Buffer.from('a\r\n')))
      expect([server.connections(), server.messages.length]).toEqual([1, 1])
    },
  )

  test.each<[string, Partial<Outgoing>, string]>([
    ['8-bit bytes', { eightBit: true }, 'BODY=8BITMIME'],
    ['a header in UTF-8', { utf8: true }, 'BODY=8BITMIME SMTPUTF8'],
    ['an address in UTF-8', { to: 'ädä@example.org' }, 'SMTPUTF8 BODY=8BITMIME'],
  ])('is said for %s, and not for the next message on that connection', async (_, rest, words) => {
    const { server, hop } = await openHop()
    await hop.send(letter(plain, rest))
    await hop.send(letter())
    const said = server.commands
      .filter((line) => line.startsWith('MAIL'))
      .map((line) =>
        line
          .replace(/^[^>]*> /, '')
          .replace(/ ?SIZE=\d+ ?/, ' ')
          .trim(),
      )
    expect(said.map((line) => line.split(' ').sort())).toEqual([words.split(' ').sort(), ['']])
    expect(server.connections()).toBe(1)
  })
})

describe('a message that cannot be read', () => {
  const broken: [string, () => Readable][] = [
    [
      'breaks',
      () =>
        Readable.from(
          (async function* () {
            yield plain.subarray(0, 4)
            throw new Error('disk')
          })(),
          { objectMode: false },
        ),
    ],
    ['ends early', () => Readable.from([plain.subarray(0, 14)], { objectMode: false })],
    ['goes on', () => Readable.from([plain, plain], { objectMode: false })],
    [
      'is taken away',
      () => {
        const source = new Readable({ read: () => undefined })
        source.push(plain.subarray(0, 4))
        setImmediate(() => source.destroy())
        return source
      },
    ],
  ]
  test.each(broken)('because it %s is a fault; no server ever takes the piece', async (_, read) => {
    const { server, hop } = await openHop()
    await expect(hop.send(letter(plain, { read }))).rejects.toThrow()
    expect(await hop.send(letter())).toMatchObject({ kind: 'taken' })
    expect(server.messages).toEqual([plain])
  })

  test('is opened only when the server asks for it, and let go when it stops', async () => {
    const sources: Readable[] = []
    const content = Buffer.alloc(20 * 1024 * 1024, 'abcdefgh\r\n')
    const read = () => {
      const source = Readable.from(pieces(content), { objectMode: false })
      sources.push(source)
      return source
    }
    const refusing = await openHop({ RCPT: '550 no' })
    await refusing.hop.send(letter(content, { read }))
    expect(sources).toEqual([])
    const leaving = await openHop({ duringContent: (socket) => void socket.destroy() })
    await leaving.hop.send(letter(content, { read }))
    await expect.poll(() => sources.map(({ destroyed }) => destroyed)).toEqual([true])
  })

  test.each(['a@b.example>\r\nRCPT TO:<eve@x.example', '', 'a<b'])('nor the address %j be said', async (to) => {
    const { server, hop } = await openHop()
    await expect(hop.send(letter(plain, { to }))).rejects.toThrow()
    expect(server.commands.filter((line) => /eve|MAIL/.test(line))).toEqual([])
  })
})

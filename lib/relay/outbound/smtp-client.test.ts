import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { closeHops, hopTo, letter, openHop, openRealServer, pieces, plain } from '#lib/testing/relay/next-hop'
import type { Script } from '#lib/testing/relay/scripted-hop'
import type { Outgoing } from './outgoing.ts'

afterEach(closeHops)

describe('an accepted message', () => {
  it('returns the server’s reply and is sent with its envelope', async () => {
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

  it('arrives byte for byte with any lines and any chunk boundaries', async () => {
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

  it('arrives byte for byte at 25 MiB, also at another server with pipelining', async () => {
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

  it('gets a missing final line break, as SMTP requires', async () => {
    const { server, hop } = await openHop()
    await hop.send(letter(Buffer.from('A: b\r\n\r\nend')))
    expect(server.messages).toEqual([Buffer.from('A: b\r\n\r\nend\r\n')])
  })
})

/** Returns the same number of bytes as lines of a hundred bytes; many start with a dot. */
function linesOf(bytes: Buffer): Buffer {
  const lines = bytes.map((byte) => (byte < 0x10 ? 0x2e : byte))
  for (let end = bytes.length; end >= 2; end -= 100) lines.set([0x0d, 0x0a], end - 2)
  return Buffer.from(lines)
}

describe('a requirement of a message', () => {
  const lacking = (...keywords: string[]) => ({
    EHLO: ['250-hop.example', ...keywords.map((k) => `250-${k}`), '250 HELP'].join('\r\n'),
  })
  it.each<[string, Script, Partial<Outgoing>, string]>([
    ['8-bit bytes', lacking('SMTPUTF8'), { eightBit: true }, '8BITMIME'],
    ['a header in UTF-8', lacking('8BITMIME'), { utf8: true }, 'SMTPUTF8'],
    ['an address in UTF-8', lacking('8BITMIME'), { to: 'ädä@example.org' }, 'SMTPUTF8'],
    ['a sender in UTF-8', lacking('8BITMIME'), { from: 'é@example.org' }, 'SMTPUTF8'],
    ['a larger SIZE', lacking('SIZE 10'), {}, 'SIZE'],
    ['8BITMIME at a server without EHLO', { EHLO: '502 what?' }, { eightBit: true }, '8BITMIME'],
  ])(
    'stops the transaction before MAIL when the server does not support it, and keeps the connection usable: %s',
    async (_, script, rest, lacks) => {
      const { server, hop } = await openHop(script)
      expect(await hop.send(letter(plain, rest))).toEqual({ kind: 'incapable', lacks })
      expect(server.commands.filter((line) => /^MAIL/.test(line))).toEqual([])
      await hop.send(letter(Buffer.from('a\r\n')))
      expect([server.connections(), server.messages.length]).toEqual([1, 1])
    },
  )

  it.each<[string, Partial<Outgoing>, string]>([
    ['8-bit bytes', { eightBit: true }, 'BODY=8BITMIME'],
    ['a header in UTF-8', { utf8: true }, 'BODY=8BITMIME SMTPUTF8'],
    ['an address in UTF-8', { to: 'ädä@example.org' }, 'SMTPUTF8 BODY=8BITMIME'],
  ])('is declared for this message and not for the next one on the connection: %s', async (_, rest, words) => {
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
      'fails',
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
    ['is longer than announced', () => Readable.from([plain, plain], { objectMode: false })],
    [
      'is destroyed',
      () => {
        const source = new Readable({ read: () => undefined })
        source.push(plain.subarray(0, 4))
        setImmediate(() => source.destroy())
        return source
      },
    ],
  ]
  it.each(broken)('throws when it %s, and no server accepts the fragment', async (_, read) => {
    const { server, hop } = await openHop()
    await expect(hop.send(letter(plain, { read }))).rejects.toThrow()
    expect(await hop.send(letter())).toMatchObject({ kind: 'taken' })
    expect(server.messages).toEqual([plain])
  })

  it('is opened when the server asks for it and closed when the server stops', async () => {
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

  it.each(['a@b.example>\r\nRCPT TO:<eve@x.example', '', 'a<b'])(
    'throws for the invalid address %j too, before MAIL',
    async (to) => {
      const { server, hop } = await openHop()
      await expect(hop.send(letter(plain, { to }))).rejects.toThrow()
      expect(server.commands.filter((line) => /eve|MAIL/.test(line))).toEqual([])
    },
  )
})

import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { authenticate } from 'mailauth'
import { describe, expect, it } from 'vitest'
import { spoolSizes } from '#lib/relay/message/spool'
import { endOfHead } from '#lib/relay/mime/header-fields'
import { forward, makeDkimKeys, relayDomain, spoolWhole } from '#lib/testing/relay/forward'

const { keys, records } = makeDkimKeys()
const published = new Map([
  ...records,
  [relayDomain, 'v=spf1 ip4:192.0.2.50 -all'],
  [`_dmarc.${relayDomain}`, 'v=DMARC1; p=reject; adkim=s; aspf=s'],
])

/** Authenticates the message as a receiver does, with only the records that the operator publishes. */
async function judge(message: Buffer, ip: string) {
  const { dkim, dmarc } = await authenticate(message, {
    ip,
    helo: 'out.relay.example',
    sender: `b-token@${relayDomain}`,
    mta: 'mx.person.example',
    disableArc: true,
    disableBimi: true,
    resolver: async (name) => {
      const text = published.get(name.toLowerCase())
      if (text === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      return [[text]]
    },
  })
  return {
    dmarc: dmarc ? dmarc.status.result : 'none',
    dkim: dkim.results.map(({ algo, status }) => `${algo} ${status.result}`),
  }
}

const passed = { dmarc: 'pass', dkim: ['rsa-sha256 pass', 'ed25519-sha256 pass'] }
const head = (...more: string[]) =>
  ['From: Acme <a@acme.example>', 'Subject: x', 'Message-ID: <1@acme.example>', ...more, '', ''].join('\r\n')
const nested = (depth: number): string =>
  depth === 0
    ? 'Content-Type: text/plain\r\n\r\nleaf\r\n'
    : `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${nested(depth - 1)}--b${depth}--\r\n`
const everyByte = Buffer.from(
  Array.from({ length: 255 }, (_, at) => at + 1).filter((byte) => byte !== 10 && byte !== 13),
)
// Whole lines of 78 characters only, so that no chunk ends with a lone CR.
const most = 78 * Math.floor((spoolSizes.total - head().length) / 78)

const corpus: [string, string | Buffer][] = [
  ['no body', ''],
  ['one empty line', '\r\n'],
  ['many empty lines at the end', `text${'\r\n'.repeat(5000)}`],
  ['only white space', ' \t \r\n \r\n'],
  ['white space at line ends', 'a \r\nb\t\r\n  c\t \td\r\n'],
  ['no final newline', 'the last line is cut'],
  ['every byte but NUL', Buffer.concat([everyByte, Buffer.from('\r\n'), everyByte])],
  ['8-bit text that is not UTF-8', Buffer.from('caf\xe9 \x80\xff\r\n', 'latin1')],
  ['UTF-8', 'Grüße, 你好, 👩‍👩‍👧\r\n'],
  ['lines of 998 and of 100,000 characters', `${'a'.repeat(998)}\r\n${'b '.repeat(50_000)}\r\n`],
  ['lines that begin with dots', '.\r\n..\r\n...\r\n'],
  [
    'what looks like a header block',
    'DKIM-Signature: v=1\r\nTo: b@c.example\r\nDisposition-Notification-To: d@e.example\r\n\r\nx\r\n',
  ],
  ['multiparts in multiparts', nested(40)],
  ['just over what stays in memory', 'line of text\r\n'.repeat(20_000)],
  ['25 MiB of lines', Buffer.alloc(most, `${'MIME'.repeat(19)}\r\n`)],
]

describe('a forwarded message', () => {
  it.each(corpus)('keeps its body byte for byte and passes DMARC: %s', async (_what, content) => {
    const body = Buffer.from(content)
    const spooled = await spoolWhole(Readable.from([Buffer.from(head()), body]))
    const out = await buffer(await forward(spooled, keys))
    const arrived = out.subarray(endOfHead(out))
    expect(arrived.length).toBe(body.length)
    expect(createHash('sha256').update(arrived).digest('hex')).toBe(createHash('sha256').update(body).digest('hex'))
    expect(spooled.bodySha256).toBe(createHash('sha256').update(body).digest('hex'))
    await spooled.discard()
    expect(await judge(out, '203.0.113.9')).toEqual(passed)
  })

  it.each(globSync('lib/relay/forward/golden/forward-*.before.eml').sort())(
    'passes DMARC with p=reject: %s',
    async (file) => {
      const spooled = await spoolWhole(readFileSync(file))
      const out = await buffer(await forward(spooled, keys))
      expect(await judge(out, '192.0.2.50')).toEqual(passed)
      expect(await judge(out, '203.0.113.9')).toEqual(passed)
    },
  )

  it('fails DMARC when it is forged', async () => {
    const forged = Buffer.from(`From: "Acme" <r-abcdefgh23456789jkmn@${relayDomain}>\r\nSubject: x\r\n\r\nx\r\n`)
    expect(await judge(forged, '203.0.113.9')).toMatchObject({ dmarc: 'fail' })
  })
})

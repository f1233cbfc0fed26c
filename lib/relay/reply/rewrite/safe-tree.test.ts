import { readFileSync } from 'node:fs'
import PostalMime, { type Email } from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { aboutReply, message } from '#lib/testing/relay/reply'
import { rewriteReply } from './rewrite-reply.ts'

const boundary = 'Content-Type: multipart/mixed; boundary=b'
const mixed = (...parts: string[]) =>
  message(boundary, `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`)
const words = 'Content-Type: text/plain\r\n\r\nHi'
const sample = (name: string): Buffer => readFileSync(`lib/relay/reply/everyday/${name}.eml`)

async function sent(raw: Buffer, changes = {}): Promise<Email & { raw: string }> {
  const result = rewriteReply(raw, { ...aboutReply, ...changes })
  if (result.kind === 'refused') throw new Error(`refused: ${result.reason}`)
  const mail = await PostalMime.parse(result.message, { forceRfc822Attachments: true })
  return { ...mail, raw: result.message.toString('latin1') }
}
const attached = ({ attachments }: Email) =>
  attachments.map(({ filename, content }) => [filename, Buffer.from(content as ArrayBuffer).toString('utf8')])

describe('signatures and keys', () => {
  const signed = (type: string, name: string) =>
    message(
      'Content-Type: multipart/signed; boundary=b',
      `--b\r\n${words}\r\n--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename=${name}\r\n\r\nMIIalice\r\n--b--\r\n`,
    )

  it.each([
    ['application/pgp-signature', 'signature.asc'],
    ['application/pkcs7-signature', 'smime.p7s'],
    ['application/x-of-tomorrow', 'proof.bin'],
  ])('replaces a signature of %s by a note', async (type, name) => {
    const mail = await sent(signed(type, name))
    expect(mail.text).toMatch(/^Hi\s+\[A digital signature was removed from this message/)
    expect(mail.raw).not.toContain('MIIalice')
    expect(mail.attachments).toEqual([])
  })

  it.each([...corpusOf('openssl'), ...corpusOf('snail-smime')])('opens %s and drops its certificate', async (name) => {
    const mail = await sent(sample(name), { hidden: ['ada@example.org'] })
    expect(mail.text).toMatch(/(Signed and|Opaque|Streamed|Signed with)[\s\S]*\[A digital signature was removed/)
    expect(mail.raw).not.toMatch(/pkcs7/)
  })

  it('replaces an attached key by a note', async () => {
    const key = '-----BEGIN PGP PUBLIC KEY BLOCK-----\r\n\r\nmDMEalice\r\n-----END PGP PUBLIC KEY BLOCK-----'
    for (const head of ['application/pgp-keys', 'application/octet-stream; name=alice.asc']) {
      const mail = await sent(mixed(words, `Content-Type: ${head}\r\n\r\n${key}`))
      expect(mail.text).toContain('[An encryption key was removed from this message')
      expect(mail.raw).not.toContain('mDME')
    }
  })

  const block = (kind: string) => `-----BEGIN PGP ${kind}-----\r\n\r\niQEzalice\r\n=abcd\r\n-----END PGP ${kind}-----`
  const clear = `-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA512\r\n\r\nI agree.\r\n- -- \r\nAlice\r\n${block('SIGNATURE')}\r\n`

  it('keeps a signed text without its signature', async () => {
    const mail = await sent(message('Content-Type: text/plain', clear))
    expect(mail.text?.replaceAll('\n', '\r\n').trim()).toBe('I agree.\r\n-- \r\nAlice\r\n[signature removed]')
  })

  it('removes a signature from a page and closes every element', async () => {
    const last = '-----END PGP SIGNATURE-----'
    const lines = clear.replaceAll('\r\n', '</div><div>').replace('iQEz', '<p>iQEz').replace(last, `${last}</p>`)
    const page = `<div>Is this you?</div><blockquote><div>${lines}</div></blockquote>`
    const mail = await sent(message('Content-Type: text/html', page))
    expect(mail.html).toContain('I agree.')
    expect(mail.html).not.toMatch(/iQEz|Hash:|BEGIN PGP/)
    for (const name of ['div', 'p'])
      expect(mail.html?.split(`<${name}>`)).toHaveLength(mail.html?.split(`</${name}>`).length ?? 0)
  })

  it('keeps a signature in a quotation', async () => {
    const mail = await sent(message('Content-Type: text/plain', `Hm.\r\n\r\n${clear.replace(/^/gm, '> ')}`))
    expect(mail.text).toContain('> -----BEGIN PGP SIGNATURE-----')
  })

  function corpusOf(part: string): string[] {
    const corpus = JSON.parse(readFileSync('lib/relay/reply/everyday/corpus.json', 'utf8')) as { file: string }[]
    return corpus.map(({ file }) => file.replace('.eml', '')).filter((file) => file.includes(part))
  }
})

describe('containers', () => {
  it('sends uuencoded files as attachments', async () => {
    const text =
      'See below.\r\nbegin 644 card.txt\r\n#0V%T\r\n`\r\nend\r\nbegin-base64 644 two.txt\r\nRG9n\r\n====\r\nBye\r\n'
    const mail = await sent(message('Content-Type: text/plain', text))
    expect(mail.text?.replaceAll('\n', '\r\n').trim()).toBe('See below.\r\n[card.txt]\r\n[two.txt]\r\nBye')
    expect(attached(mail)).toEqual([
      ['card.txt', 'Cat'],
      ['two.txt', 'Dog'],
    ])
  })

  it('keeps a text that only mentions begin and end', async () => {
    const text = 'begin 644 times a day\r\nand never stop\r\n'
    expect((await sent(message('Content-Type: text/plain', text))).text?.replaceAll('\n', '\r\n').trim()).toBe(
      text.trim(),
    )
  })

  it('opens a winmail.dat that another program wrote', async () => {
    const tnef = sampleTnef([['a file.txt', 'It rains.']])
    const part = `Content-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\n${tnef}`
    expect(attached(await sent(mixed(words, part)))).toEqual([['a file.txt', 'It rains.']])
    // The message has no other text, and the text of this winmail.dat cannot be read.
    expect(() => rewriteReply(mixed(part), aboutReply)).not.toThrow()
    expect(rewriteReply(mixed(part), aboutReply)).toEqual({ kind: 'refused', reason: 'winmail' })
  })

  it('leaves an empty text for a message with only a winmail.dat without files', async () => {
    const part = `Content-Type: application/ms-tnef\r\nContent-Transfer-Encoding: base64\r\n\r\n${sampleTnef([])}`
    for (const kind of ['alternative', 'mixed']) {
      const inner = `Content-Type: multipart/${kind}; boundary=c\r\n\r\n--c\r\n${part}\r\n--c--`
      const mail = await sent(mixed(words, inner))
      expect(mail.text?.trim()).toBe('Hi')
      expect(mail.raw.match(/^Content-Type: multipart/gim)).toHaveLength(kind === 'alternative' ? 2 : 1)
    }
  })

  it('removes a delivery report and keeps the returned message', async () => {
    const report = `Content-Type: multipart/report; boundary=c\r\n\r\n--c\r\n\r\nSorry\r\n--c\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; alice-pc\r\n--c\r\nContent-Type: text/rfc822-headers\r\n\r\nReceived: from alice-pc\r\nSubject: Lost\r\n--c--`
    const mail = await sent(mixed(words, report))
    expect(mail.text).toContain('[A delivery report was removed')
    expect(mail.raw).toContain('Subject: Lost')
    expect(mail.raw).not.toContain('alice-pc')
  })

  it('reads a multipart without parts as text with any encoding', async () => {
    expect((await sent(message('Content-Type: multipart/mixed; boundary=x', 'Hi'))).text?.trim()).toBe('Hi')
    const encoded = 'Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: base64'
    expect((await sent(message(encoded, `--b\r\n${words}\r\n--b--`))).text?.trim()).toBe('Hi')
    expect(
      (
        await sent(
          message('Content-Type: text/plain; charset=bogus\r\nContent-Transfer-Encoding: 8-bit', 'Gr\u00fc\u00dfe'),
        )
      ).text?.trim(),
    ).toBe('Gr\u00fc\u00dfe')
  })
})

describe('attached messages', () => {
  const inner = (type: string) =>
    `${type}\r\n\r\nReceived: from [192.0.2.77]\r\nDelivered-To: alice@example.org\r\nFrom: Shop <r-abcdefghjkmnpqrstuvw@relay.example>\r\nTo: alice@example.org, Bob <bob@example.com>\r\nSubject: =?utf-8?Q?F=C3=BCr_alice@example.org?=\r\nSubject: again\r\nDate: Fri, 20 Nov 2026 19:00:00 +0900\r\nMessage-ID: <order-2@app.example>\r\nReferences: <1.alice@home.example>\r\nX-Mailer: Mail of Alice\r\n\r\nOrder 2 for alice@example.org`

  it.each([
    'Content-Type: message/rfc822',
    'Content-Type: application/octet-stream; name="Order 2.eml"',
    'Content-Type: application/octet-stream',
  ])('rewrites %s', async (type) => {
    const mail = await sent(mixed(words, inner(type)))
    const [message] = mail.attachments
    expect(message?.mimeType).toBe('message/rfc822')
    const read = await PostalMime.parse(message?.content as ArrayBuffer)
    expect(read).toMatchObject({ subject: 'F\u00fcr b7kq3mzt9xpd@relay.example', messageId: '<order-2@app.example>' })
    expect(read.text?.trim()).toBe('Order 2 for b7kq3mzt9xpd@relay.example')
    // The date is in UTC, because its time zone may be the person's.
    expect(read.headers.find(({ key }) => key === 'date')?.value).toBe('Fri, 20 Nov 2026 10:00:00 +0000')
    expect(read.headers.map(({ key }) => key).toSorted()).toEqual([
      'content-transfer-encoding',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ])
  })

  it('drops a field named like a property of Object.prototype', async () => {
    const fields = 'Constructor: alice-pc\r\n__proto__: alice-pc\r\nSubject: x'
    const mail = await sent(mixed(words, `Content-Type: message/rfc822\r\n\r\n${fields}\r\n\r\nHi`))
    expect(mail.raw).not.toContain('alice-pc')
  })

  it('opens four nested messages and no more', () => {
    const nested = (depth: number) => `${'Content-Type: message/rfc822\r\n\r\n'.repeat(depth)}Subject: x\r\n\r\nHi`
    expect(rewriteReply(mixed(words, nested(4)), aboutReply).kind).toBe('rewritten')
    for (const depth of [5, 20_000])
      expect(rewriteReply(mixed(words, nested(depth)), aboutReply)).toEqual({ kind: 'refused', reason: 'unreadable' })
  })

  it('rewrites every message of a digest', async () => {
    const digest = message('Content-Type: multipart/digest; boundary=b', `--b\r\n\r\n${inner('').trimStart()}\r\n--b--`)
    expect((await sent(digest)).raw).not.toMatch(/alice@|192\.0\.2/)
  })
})

it('sends a reply with further recipients to the app only', async () => {
  for (const others of ['Cc: bob@example.com', 'Bcc: "Bob, (x)" <bob@example.com>', 'Cc: Friends: bob@example.com;'])
    expect((await sent(message(others, 'Hi'))).raw).not.toContain('bob')
})

it.each(['text/vcard', 'application/json', 'application/octet-stream; name=a.csv'])(
  'replaces the address in an attached file of %s',
  async (type) => {
    const mail = await sent(
      mixed(words, `Content-Type: ${type}\r\nContent-Disposition: attachment\r\n\r\nEMAIL:alice@example.org`),
    )
    expect(attached(mail)[0]?.[1]?.trim()).toBe('EMAIL:b7kq3mzt9xpd@relay.example')
  },
)

/** Returns a winmail.dat in the format of [MS-OXTNEF] with these files. */
function sampleTnef(files: [name: string, content: string][]): string {
  const attribute = (id: number, data: Buffer) => {
    const head = Buffer.alloc(9)
    head.writeUInt8(2)
    head.writeUInt32LE(id, 1)
    head.writeUInt32LE(data.length, 5)
    return Buffer.concat([head, data, Buffer.alloc(2)])
  }
  const start = Buffer.from('789f3e220100', 'hex')
  const parts = files.flatMap(([name, content]) => [
    attribute(0x00069002, Buffer.alloc(14)),
    attribute(0x00018010, Buffer.from(`${name}\0`)),
    attribute(0x0006800f, Buffer.from(content)),
  ])
  return Buffer.concat([start, ...parts]).toString('base64')
}

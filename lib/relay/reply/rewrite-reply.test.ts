import { globSync, readFileSync } from 'node:fs'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { aboutReply as about, message } from '#lib/testing/reply'
import { findLeak } from './leak-gate.ts'
import type { ReplyRefusal } from './reply-refusal.ts'
import { replyRefusals } from './reply-refusal.ts'
import { rewriteReply } from './rewrite-reply.ts'

const goldenPairs = globSync('lib/relay/reply/golden/reply-*.before.eml')

/** What became of a reply: its refusal, or the message as text. */
function outcome(raw: Buffer, changes = {}): string {
  const result = rewriteReply(raw, { ...about, ...changes })
  return result.kind === 'refused' ? result.reason : result.message.toString('utf8')
}

describe('golden pairs', () => {
  test.each(goldenPairs.map((path) => [path.replace(/^.*reply-|\.before\.eml$/g, ''), path]))('%s', (_, path) => {
    const after = readFileSync(path.replace('.before.', '.after.'), 'utf8')
    expect(outcome(readFileSync(path))).toBe(after)
  })

  test('are there, and each of them leaks before it is rewritten', () => {
    expect(goldenPairs.length).toBeGreaterThan(10)
    expect(goldenPairs.filter((path) => !findLeak(readFileSync(path), about.hidden))).toEqual([])
  })
})

describe('refused, with a text that says why', () => {
  const pdf = 'Content-Type: application/pdf\r\n\r\n%PDF'
  const attached = (head: string, body = 'x') =>
    message(`Content-Type: multipart/mixed; boundary=b`, `--b\r\n\r\nHi\r\n--b\r\n${head}\r\n\r\n${body}\r\n--b--\r\n`)
  const named = (name: string) => attached(`Content-Disposition: attachment; filename="${name}"`)
  const file = 'Content-Type: application/octet-stream'
  const text = (body: string) => message('Content-Type: text/plain', body)
  const cases: [string, ReplyRefusal, Buffer][] = [
    ['an OpenPGP key', 'pgp', attached('Content-Type: application/pgp-keys')],
    ['an OpenPGP key by its name', 'pgp', named('OpenPGP_0x0123.asc')],
    ['an OpenPGP key in the text', 'pgp', text('Hi\r\n-----BEGIN PGP PUBLIC KEY BLOCK-----\r\n\r\nmDME\r\n')],
    ['an OpenPGP key in a page', 'pgp', message('Content-Type: text/html', '<pre>-----BEGIN PGP MESSAGE-----</pre>')],
    [
      'an OpenPGP signature',
      'pgp',
      message(
        'Content-Type: multipart/signed; protocol="application/pgp-signature"; boundary=b',
        `--b\r\n${pdf}\r\n--b--`,
      ),
    ],
    [
      'OpenPGP encryption',
      'pgp',
      message(
        'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b',
        `--b\r\n${pdf}\r\n--b--`,
      ),
    ],
    ['an S/MIME signature', 'smime', message('Content-Type: application/pkcs7-mime; smime-type=signed-data', 'MII')],
    ['a detached S/MIME signature', 'smime', attached('Content-Type: application/x-pkcs7-signature; name=smime.p7s')],
    ['a certificate', 'smime', attached('Content-Type: application/pkix-cert')],
    ['a certificate by its first line', 'smime', attached(file, '-----BEGIN CERTIFICATE-----')],
    [
      'a signature of a kind we do not know',
      'smime',
      message('Content-Type: multipart/signed; boundary=b', `--b\r\n\r\nx\r\n--b--`),
    ],
    ['a contact card', 'vcard', attached('Content-Type: text/vcard; charset=utf-8', 'BEGIN:VCARD')],
    ['a contact card by its name', 'vcard', named('alice.VCF')],
    ['a contact card by its first line', 'vcard', attached(file, '\r\nBegin:vCard\r\nVERSION:4.0')],
    [
      'a contact card in UTF-16',
      'vcard',
      attached(
        `${file}\r\nContent-Transfer-Encoding: base64`,
        Buffer.from('\ufeffBEGIN:VCARD', 'utf16le').toString('base64'),
      ),
    ],
    ['an answer to an invitation', 'calendar', message('Content-Type: text/calendar; method=REPLY', 'BEGIN:VCALENDAR')],
    ['an invitation as a file', 'calendar', attached('Content-Type: application/ics; name=invite.ics')],
    ['an attached message', 'attached_message', attached('Content-Type: message/rfc822', 'From: a@b.example')],
    ['an attached message as a file', 'attached_message', named('Re order.eml')],
    ['an attached message by its first line', 'attached_message', attached(file, 'Return-Path: <a@b.example>')],
    ['an Outlook message', 'attached_message', attached('Content-Type: application/vnd.ms-outlook')],
    ['the header of a message', 'attached_message', attached('Content-Type: text/rfc822-headers', 'From: a@b.example')],
    ['a part of a message', 'attached_message', message('Content-Type: message/partial; id=1; number=1', 'x')],
    [
      'a digest',
      'attached_message',
      message('Content-Type: multipart/digest; boundary=b', '--b\r\n\r\nFrom: a\r\n\r\nx\r\n--b--'),
    ],
    ['winmail.dat', 'winmail', attached('Content-Type: application/ms-tnef')],
    ['winmail.dat by its name', 'winmail', named('winmail.dat')],
    ['winmail.dat by its first bytes', 'winmail', attached(`${file}\r\nContent-Transfer-Encoding: base64`, 'eJ8+IgAA')],
    ['an attachment in the text', 'uuencoded', text('Hi\r\nbegin 644 card.doc\r\n#0V%T\r\n`\r\nend\r\n')],
    ['an address inside a file', 'leak', attached(file, 'author=alice@example.org')],
    [
      'an address inside a file in UTF-16',
      'leak',
      attached(
        `${file}\r\nContent-Transfer-Encoding: base64`,
        Buffer.from('x alice@example.org', 'utf16le').toString('base64'),
      ),
    ],
    [
      'a character set we cannot read',
      'unreadable',
      message('Content-Type: text/plain; charset=utf-7', 'alice+AEA-example.org'),
    ],
    ['a subject we cannot read', 'unreadable', message('Subject: =?utf-7?Q?alice+AEA-example.org?=', 'Hi')],
    ['an encoding we cannot read', 'unreadable', message('Content-Transfer-Encoding: x-yenc', 'Hi')],
    [
      'a multipart without a boundary',
      'unreadable',
      message('Content-Type: multipart/mixed', '--b\r\n\r\nHi\r\n--b--'),
    ],
    ['a multipart without parts', 'unreadable', message('Content-Type: multipart/mixed; boundary=b', 'Hi')],
    [
      'an encoded multipart',
      'unreadable',
      message(
        'Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: base64',
        '--b\r\n\r\nHi\r\n--b--',
      ),
    ],
    ['a tree that is too deep', 'unreadable', deepTree(20)],
    [
      'too many parts',
      'unreadable',
      message('Content-Type: multipart/mixed; boundary=b', `${'--b\r\n\r\nHi\r\n'.repeat(600)}--b--`),
    ],
    ['a copy to somebody else', 'other_recipients', message('Cc: bob@example.com', 'Hi')],
    ['a blind copy to somebody else', 'other_recipients', message('Bcc: "Bob, (x)" <bob@example.com>', 'Hi')],
    ['a second recipient', 'other_recipients', message('To: r-22222222222222222222@relay.example', 'Hi')],
    [
      'a second recipient in a group',
      'other_recipients',
      message('Cc: Friends: bob@example.com, alice@example.org;', 'Hi'),
    ],
    ['a second recipient with an odd name', 'other_recipients', message('Cc: "a b"@example.com', 'Hi')],
  ]

  test.each(cases)('%s', (_, reason, raw) => {
    expect(outcome(raw)).toBe(reason)
  })

  test('every reason is one line of ASCII that fits an SMTP answer', () => {
    for (const text of Object.values(replyRefusals)) expect(text).toMatch(/^[ -~]{20,200}$/)
  })

  function deepTree(depth: number): Buffer {
    const boundaries = Array.from({ length: depth }, (_, at) => `b${at}`)
    const opened = boundaries
      .slice(1)
      .map((one, at) => `--${boundaries[at]}\r\nContent-Type: multipart/mixed; boundary=${one}\r\n\r\n`)
    return message(
      'Content-Type: multipart/mixed; boundary=b0',
      `${opened.join('')}--${boundaries.at(-1)}\r\n\r\nHi\r\n`,
    )
  }
})

describe('sent on', () => {
  test('copies to the person and to the alias are no other recipients', () => {
    const raw = message(
      'Cc: "Alice @ work" <ALICE@example.org>, alice+self@example.org\r\nBcc: undisclosed-recipients:;',
      'Hi',
    )
    expect(outcome(raw)).toMatch(/^To: <orders@app\.example>\r\n/)
  })

  test('what the app wrote and the person quotes may hold an OpenPGP block', () => {
    expect(outcome(message('Content-Type: text/plain', '> -----BEGIN PGP SIGNED MESSAGE-----\r\n\r\nHi'))).toContain(
      '> -----BEGIN',
    )
  })

  test('without a name the sender is the address alone; a name that holds an address does not keep it', () => {
    expect(outcome(message('', 'Hi'), { displayName: undefined })).toContain(
      '\r\nFrom: <b7kq3mzt9xpd@relay.example>\r\n',
    )
    expect(outcome(message('', 'Hi'), { displayName: 'alice@example.org "A"\r\nBcc: x' })).toContain(
      '\r\nFrom: "b7kq3mzt9xpd@relay.example \\"A\\" Bcc: x" <b7kq3mzt9xpd@relay.example>\r\n',
    )
    expect(outcome(message('', 'Hi'), { displayName: '愛麗絲' })).toContain('\r\nFrom: =?UTF-8?B?5oSb6bqX57Wy?= <b7')
  })

  test('the app may have the very address that the person has: it stands in To and nowhere else', () => {
    const sent = outcome(message('', 'I am alice@example.org'), { to: 'alice@example.org' })
    expect(sent).toMatch(/^To: <alice@example\.org>\r\n/)
    expect(sent.split('alice@example.org')).toHaveLength(2)
  })

  test("an app next door to the person, whose address ends as the person's does, gets its replies", () => {
    const sent = outcome(message('', 'Dear maria@example.org, a@example.org speaking'), {
      hidden: ['a@example.org'],
      to: 'maria@example.org',
    })
    expect(sent).toContain('Dear maria@example.org, b7kq3mzt9xpd@relay.example speaking')
  })

  test('an international address of the app is written as it is', () => {
    expect(outcome(message('', 'Hi'), { to: 'bestellung@bücher.example' })).toMatch(
      /^To: <bestellung@bücher\.example>\r\n/,
    )
  })

  test('a former address is hidden as the present one is', () => {
    expect(outcome(message('', 'once a.liddell@gmail.com, now aliddell+x@googlemail.com, or zo=C3=AB'))).not.toMatch(
      /liddell/,
    )
  })

  test('files keep every byte, texts every word, however the client cut them up', async () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, at) => (at * 7) % 256))
    const long = `${'Wörter '.repeat(300)}\r\n.\r\nFrom here\r\n\r\n`
    const raw = message(
      'Content-Type: multipart/mixed; boundary="a b"',
      `--a b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${long}\r\n--a b  \r\nContent-Type: application/zip\r\nContent-Disposition: attachment; filename=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString('base64')}\r\n--a b--`,
    )
    const result = rewriteReply(raw, about)
    const mail = await PostalMime.parse(result.kind === 'rewritten' ? result.message : '')
    expect(mail.text?.replaceAll('\n', '\r\n').trimEnd()).toBe(long.trimEnd())
    expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer)).toEqual(bytes)
    expect(mail.attachments[0]?.filename).toBe('a.zip')
  })

  test('a picture of some megabytes written into a page is looked through and keeps every byte', () => {
    const picture = Buffer.alloc(6 * 1024 * 1024, 'picture').toString('base64')
    const page = (address: string) => `<img src="data:image/png;base64,${picture}"><p>${address}</p>`
    const sent = outcome(message('Content-Type: text/html', page('alice@example.org')))
    expect(sent.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(page(about.alias))
  })

  test('lines are short and in ASCII, whatever came', () => {
    const sent = outcome(message(`Subject: ${'ü'.repeat(400)}`, `${'x'.repeat(5000)} ${'ü'.repeat(5000)}`))
    expect(sent.split('\r\n').filter((line) => line.length > 200 || /[^\t -~]/.test(line))).toEqual([])
  })
})

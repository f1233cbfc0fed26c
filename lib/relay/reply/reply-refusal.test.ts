import { describe, expect, test } from 'vitest'
import { aboutReply, message } from '#lib/testing/reply'
import { type ReplyRefusal, replyRefusals } from './reply-refusal.ts'
import { rewriteReply } from './rewrite-reply.ts'

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
    ['a file that few can unpack', 'packed', named('notes.7z')],
    ['a file that few can unpack, by its type', 'packed', attached('Content-Type: application/x-xz')],
    ['a file that few can unpack, by its first bytes', 'packed', attached(file, 'Rar!\x1a\x07\x01')],
    ['a PDF with a password', 'packed', attached(file, '%PDF-1.7\ntrailer << /Encrypt 5 0 R >>')],
    ['a zip file with a password', 'packed', attached(file, `PK\x03\x04\x14\0\x01\0\x08\0${'\0'.repeat(30)}`)],
    [
      'an Office document with a password',
      'packed',
      attached(
        `${file}\r\nContent-Transfer-Encoding: base64`,
        Buffer.concat([Buffer.from('d0cf11e0', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]).toString('base64'),
      ),
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
    expect(rewriteReply(raw, aboutReply)).toEqual({ kind: 'refused', reason })
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

import { describe, expect, it } from 'vitest'
import { rewriteReply } from '#lib/relay/reply/rewrite/rewrite-reply'
import { aboutReply, message } from '#lib/testing/relay/reply'
import { type ReplyRefusal, replyRefusals } from './reply-refusal.ts'

describe('a refusal', () => {
  const pdf = 'Content-Type: application/pdf\r\n\r\n%PDF'
  const attached = (head: string, body = 'x') =>
    message(`Content-Type: multipart/mixed; boundary=b`, `--b\r\n\r\nHi\r\n--b\r\n${head}\r\n\r\n${body}\r\n--b--\r\n`)
  const named = (name: string) => attached(`Content-Disposition: attachment; filename="${name}"`)
  const file = 'Content-Type: application/octet-stream'
  const text = (body: string) => message('Content-Type: text/plain', body)
  const cases: [string, ReplyRefusal, Buffer][] = [
    [
      'OpenPGP encryption in the text',
      'pgp',
      text('-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM\r\n-----END PGP MESSAGE-----\r\n'),
    ],
    [
      'OpenPGP encryption in a page',
      'pgp',
      message('Content-Type: text/html', '<pre>-----BEGIN PGP MESSAGE-----</pre>'),
    ],
    ['a file encrypted with OpenPGP', 'pgp', named('taxes.pdf.gpg')],
    [
      'OpenPGP encryption',
      'pgp',
      message(
        'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b',
        `--b\r\n${pdf}\r\n--b--`,
      ),
    ],
    [
      'S/MIME encryption',
      'smime',
      message(
        'Content-Type: application/pkcs7-mime; smime-type=enveloped-data\r\nContent-Transfer-Encoding: base64',
        'MIIBAgYJKoZIhvcNAQcDoA==',
      ),
    ],
    [
      'S/MIME that cannot be read',
      'smime',
      message('Content-Type: application/pkcs7-mime; smime-type=signed-data', 'MII'),
    ],
    ['a key ring with a password', 'packed', named('alice.p12')],
    [
      'an unterminated answer to an invitation',
      'calendar',
      message('Content-Type: text/calendar; method=REPLY', 'BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\n'),
    ],
    ['an Outlook message', 'attached_message', attached('Content-Type: application/vnd.ms-outlook')],
    ['a partial message', 'attached_message', message('Content-Type: message/partial; id=1; number=1', 'x')],
    ['a mailbox', 'attached_message', named('Inbox.mbox')],
    ['a mailbox recognised by its first line', 'attached_message', attached(file, 'From a@b.example Mon')],
    ['an archive in an unsupported format', 'packed', named('notes.7z')],
    ['an archive recognised by its type', 'packed', attached('Content-Type: application/x-xz')],
    ['an archive recognised by its first bytes', 'packed', attached(file, 'Rar!\x1a\x07\x01')],
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
    ['a winmail.dat recognised by its name', 'winmail', named('winmail.dat')],
    [
      'winmail.dat by its first bytes',
      'winmail',
      attached(
        `${file}\r\nContent-Transfer-Encoding: base64`,
        Buffer.from('789f3e220000020f800600ffffff0000', 'hex').toString('base64'),
      ),
    ],
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
      'an unsupported charset',
      'unreadable',
      message('Content-Type: text/plain; charset=utf-7', 'alice+AEA-example.org'),
    ],
    ['an unreadable subject', 'unreadable', message('Subject: =?utf-7?Q?alice+AEA-example.org?=', 'Hi')],
    ['a file in an unknown transfer encoding', 'unreadable', attached(`${file}\r\nContent-Transfer-Encoding: x-yenc`)],
    ['a multipart nested too deeply', 'unreadable', deepTree(20)],
    [
      'too many parts',
      'unreadable',
      message('Content-Type: multipart/mixed; boundary=b', `${'--b\r\n\r\nHi\r\n'.repeat(600)}--b--`),
    ],
  ]

  it.each(cases)('states the reason: %s', (_, reason, raw) => {
    expect(rewriteReply(raw, aboutReply)).toEqual({ kind: 'refused', reason })
  })

  it('has texts of one ASCII line that fit an SMTP reply', () => {
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

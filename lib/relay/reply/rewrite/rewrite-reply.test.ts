import { globSync, readFileSync } from 'node:fs'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { findLeak } from '#lib/relay/reply/leak-gate/leak-gate'
import { aboutReply as about, message } from '#lib/testing/relay/reply'
import { rewriteReply } from './rewrite-reply.ts'

const goldenPairs = globSync('lib/relay/reply/golden/reply-*.before.eml')

/** Returns the refusal of a reply, or the rewritten message as text. */
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

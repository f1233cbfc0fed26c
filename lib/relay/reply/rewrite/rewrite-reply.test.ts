import { globSync, readFileSync } from 'node:fs'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { findLeak } from '#lib/relay/reply/leak-gate/leak-gate'
import { aboutReply as about, message } from '#lib/testing/relay/reply'
import { rewriteReply } from './rewrite-reply.ts'

const goldenPairs = globSync('lib/relay/reply/golden/reply-*.before.eml')

/** Returns the refusal of a reply, or the rewritten message as text. */
function outcome(raw: Buffer, changes = {}): string {
  const result = rewriteReply(raw, { ...about, ...changes })
  return result.kind === 'refused' ? result.reason : result.message.toString('utf8')
}

describe('a golden pair', () => {
  it.each(goldenPairs.map((path) => [path.replace(/^.*reply-|\.before\.eml$/g, ''), path]))(
    'is rewritten as stored: %s',
    (_, path) => {
      const after = readFileSync(path.replace('.before.', '.after.'), 'utf8')
      expect(outcome(readFileSync(path))).toBe(after)
    },
  )

  it('contains an address before it is rewritten', () => {
    expect(goldenPairs.length).toBeGreaterThan(10)
    expect(goldenPairs.filter((path) => !findLeak(readFileSync(path), about.hidden))).toEqual([])
  })
})

describe('a rewritten reply', () => {
  it('drops copies to the person and to the alias', () => {
    const raw = message(
      'Cc: "Alice @ work" <ALICE@example.org>, alice+self@example.org\r\nBcc: undisclosed-recipients:;',
      'Hi',
    )
    expect(outcome(raw)).toMatch(/^To: <orders@app\.example>\r\n/)
  })

  it('keeps an OpenPGP block in the quoted text of the app', () => {
    expect(outcome(message('Content-Type: text/plain', '> -----BEGIN PGP SIGNED MESSAGE-----\r\n\r\nHi'))).toContain(
      '> -----BEGIN',
    )
  })

  it('has the bare alias in From if there is no display name, and hides an address in a display name', () => {
    expect(outcome(message('', 'Hi'), { displayName: undefined })).toContain(
      '\r\nFrom: <b7kq3mzt9xpd@relay.example>\r\n',
    )
    expect(outcome(message('', 'Hi'), { displayName: 'alice@example.org "A"\r\nBcc: x' })).toContain(
      '\r\nFrom: "b7kq3mzt9xpd@relay.example \\"A\\" Bcc: x" <b7kq3mzt9xpd@relay.example>\r\n',
    )
    expect(outcome(message('', 'Hi'), { displayName: '愛麗絲' })).toContain('\r\nFrom: =?UTF-8?B?5oSb6bqX57Wy?= <b7')
  })

  it('contains an address of both the app and the person only in To', () => {
    const sent = outcome(message('', 'I am alice@example.org'), { to: 'alice@example.org' })
    expect(sent).toMatch(/^To: <alice@example\.org>\r\n/)
    expect(sent.split('alice@example.org')).toHaveLength(2)
  })

  it("reaches an app whose address ends like the person's", () => {
    const sent = outcome(message('', 'Dear maria@example.org, a@example.org speaking'), {
      hidden: ['a@example.org'],
      to: 'maria@example.org',
    })
    expect(sent).toContain('Dear maria@example.org, b7kq3mzt9xpd@relay.example speaking')
  })

  it('keeps an international address of the app', () => {
    expect(outcome(message('', 'Hi'), { to: 'bestellung@bücher.example' })).toMatch(
      /^To: <bestellung@bücher\.example>\r\n/,
    )
  })

  it('hides former addresses like the current one', () => {
    expect(outcome(message('', 'once a.liddell@gmail.com, now aliddell+x@googlemail.com, or zo=C3=AB'))).not.toMatch(
      /liddell/,
    )
  })

  it('keeps every byte of files and every word of texts in any multipart structure', async () => {
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

  it('searches an embedded image of several megabytes and keeps every byte', () => {
    const picture = Buffer.alloc(6 * 1024 * 1024, 'picture').toString('base64')
    const page = (address: string) => `<img src="data:image/png;base64,${picture}"><p>${address}</p>`
    const sent = outcome(message('Content-Type: text/html', page('alice@example.org')))
    expect(sent.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(page(about.alias))
  })

  it('has short ASCII lines for any input', () => {
    const sent = outcome(message(`Subject: ${'ü'.repeat(400)}`, `${'x'.repeat(5000)} ${'ü'.repeat(5000)}`))
    expect(sent.split('\r\n').filter((line) => line.length > 200 || /[^\t -~]/.test(line))).toEqual([])
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rewriteInWorker } from '#lib/relay/reply/rewrite/rewrite-in-worker'
import { rewriteReply } from '#lib/relay/reply/rewrite/rewrite-reply'
import { aboutReply } from '#lib/testing/relay/reply'
import { findLeak } from './leak-gate.ts'

const folder = new URL('./made-by-programs/', import.meta.url)
const names = readdirSync(folder).filter((name) => name !== 'README.md')
const read = (name: string) => readFileSync(new URL(name, folder))

/** Returns a reply to which this file is attached. */
function replyWith(name: string): Buffer {
  const file = read(name).toString('base64').replace(/.{76}/g, '$&\r\n')
  const part = `Content-Type: application/octet-stream; name="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}`
  return Buffer.from(
    `From: a@b.example\r\nTo: <${aboutReply.reverse}>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHi\r\n--b\r\n${part}\r\n--b--\r\n`,
  )
}

/** Returns the outcome of a reply with this file attached, for a person with these addresses. */
function attach(name: string, hidden = aboutReply.hidden): string {
  const result = rewriteReply(replyWith(name), { ...aboutReply, hidden })
  return result.kind === 'refused' ? result.reason : result.kind
}

const closed = ['lzma.dat', 'numbered-letters.pdf']
/** The relay replaces the address in these text files. */
const texts = ['customers.csv']
const files = names.filter((name) => ![...closed, ...texts].includes(name))

describe('an attached file that contains the address', () => {
  it.each(files)('is refused: %s', (name) => {
    expect(attach(name)).toBe('leak')
  })

  it.each(texts)('is rewritten without the address, which the gate would find: %s', (name) => {
    expect(attach(name)).toBe('rewritten')
    expect(
      findLeak(Buffer.from(`X-Id: 1\r\nContent-Type: application/x-csv\r\n\r\n${read(name)}`), aboutReply.hidden),
    ).toBe('leak')
  })

  it.each(closed)('is refused because it cannot be opened: %s', (name) => {
    expect(attach(name, ['robert@home.example'])).toBe('packed')
  })

  it.each([...files, ...texts])('passes for another person: %s', (name) => {
    expect(attach(name, ['robert@home.example', 'ali@example.com', 'info@example.net'])).toBe('rewritten')
  })
})

it('reads a PDF in the thread that rewrites replies', async () => {
  const { mapMessageId: _, ...about } = aboutReply
  const rewrite = (hidden: string[]) =>
    rewriteInWorker({ whole: async () => replyWith('libreoffice.pdf') }, { ...about, hidden, knownIds: new Map() })
  expect(await rewrite(['alice@example.org'])).toEqual({ kind: 'refused', reason: 'leak' })
  expect(await rewrite(['robert@home.example'])).toMatchObject({ kind: 'rewritten' })
})

describe('a text with the encoded address', () => {
  it.each(['mermaid.txt', 'django.txt', 'flask.txt', 'saml.txt', 'picture.html', 'requests.har'])(
    'is refused in the body of a reply: %s',
    (name) => {
      const type = name.endsWith('.html') ? 'html' : 'plain'
      const raw = `From: a@b.example\r\nTo: <${aboutReply.reverse}>\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\nHi,\r\n${read(name)}`
      expect(rewriteReply(Buffer.from(raw), aboutReply)).toEqual({ kind: 'refused', reason: 'leak' })
      expect(rewriteReply(Buffer.from(raw), { ...aboutReply, hidden: ['robert@home.example'] }).kind).toBe('rewritten')
    },
  )
})

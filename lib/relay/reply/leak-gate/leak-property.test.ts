import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { expect, it } from 'vitest'
import { fingerprintMessage } from '#lib/relay/quote/fingerprint/fingerprint-message'
import { rewriteReply } from '#lib/relay/reply/rewrite/rewrite-reply'
import { messageOf, type Planted, planted, plantedMessages, textSpellings } from '#lib/testing/relay/leaks'
import { aboutReply } from '#lib/testing/relay/reply'
import { findLeak } from './leak-gate.ts'

const runs = { numRuns: Number(process.env.PROPERTY_RUNS ?? 200) }
/** A long timeout, because the independent reader tries every order of its steps on every message. */
const patience = runs.numRuns * 1000

it(
  'removes an address in 30 spellings from any place of any message, or refuses the message',
  async () => {
    expect(Object.keys(textSpellings).length).toBeGreaterThanOrEqual(30)
    const seen = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(plantedMessages, async ({ message, place, spelling, survives }: Planted) => {
        const result = rewriteReply(message, aboutReply)
        seen.set(`${result.kind} ${place} ${spelling}`, 1)
        // A refusal is expected only for content that cannot be rewritten; the leak gate must not compensate for the
        // rewriter.
        expect(result.kind).toBe(survives ? 'rewritten' : 'refused')
        if (result.kind === 'rewritten') expect(await whereFound(result.message)).toEqual([])
      }),
      runs,
    )
    const kinds = [...seen.keys()].map((one) => one.split(' ')[0])
    expect(kinds.filter((kind) => kind === 'rewritten').length).toBeGreaterThan(30)
  },
  patience,
)

it(
  'removes an address that the app sent before, in whole or in part',
  async () => {
    const guesses = [
      ...Object.values(textSpellings),
      '@example.org',
      'lice@example.org',
      'example.org',
      'alice',
      'e@ex',
    ]
    const raw = Buffer.from(
      `Subject: Are you it?\r\nContent-Type: text/html\r\n\r\n<p>${guesses.join('</p>\r\n<p>')}</p>`,
    )
    const [key, alias] = [Buffer.alloc(32, 7), aboutReply.alias.split('@')[0] as string]
    const sent = [{ key, alias, prints: fingerprintMessage(raw, { key, alias, sender: 'News' }) }]
    await fc.assert(
      fc.asyncProperty(plantedMessages, async ({ message }: Planted) => {
        const result = rewriteReply(message, { ...aboutReply, sent })
        if (result.kind === 'rewritten') expect(await whereFound(result.message)).toEqual([])
      }),
      runs,
    )
  },
  patience,
)

it('finds the address in unrewritten messages without the fields that always contain it', () => {
  fc.assert(
    fc.property(plantedMessages, ({ message }) => {
      const anonymous = Buffer.from(message.toString('latin1').replace(/^From: .*\r\n/, ''), 'latin1')
      expect(findLeak(anonymous, [planted])).toBeDefined()
    }),
    runs,
  )
})

it('finds no address of another person in the same messages', () => {
  fc.assert(
    fc.property(plantedMessages, ({ message }) => {
      expect(findLeak(message, ['bob@example.com', 'malice@example.org'])).toBeUndefined()
    }),
    runs,
  )
})

it('rewrites a link of a mail gateway in every charset and encoding', () => {
  const encoded = textSpellings['link of a gateway'] as string
  for (const encoding of ['8bit', 'quoted-printable', 'base64']) {
    for (const subtype of ['plain', 'html']) {
      for (const width of [1, 2, 7, 40, 70]) {
        const message = messageOf({ encoded, charset: 'iso-2022-jp', encoding, subtype, width })
        const result = rewriteReply(message, aboutReply)
        expect(result.kind === 'rewritten' && findLeak(result.message, [planted])).toBeUndefined()
      }
    }
  }
})

/** An independent reader: decodes the displayed text in every order of a few steps. */
async function whereFound(message: Buffer): Promise<string[]> {
  const mail = await PostalMime.parse(message)
  const files = mail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer).toString('latin1'))
  const texts = [
    message.toString('latin1'),
    JSON.stringify({ ...mail, attachments: mail.attachments.map(({ filename, contentId }) => [filename, contentId]) }),
    ...[mail.text ?? '', mail.html ?? '', mail.subject ?? '', ...files],
  ]
  return texts.filter((text) => reachable(text).some((one) => /alice(\+shop)?[@=]example\.org/.test(one)))
}

const steps: ((text: string) => string)[] = [
  (text) => text.replace(/=\r?\n/g, ''),
  (text) => text.replace(/[%=]([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  (text) => text.replace(/&(amp|commat|period);/g, (_, name: 'amp') => ({ amp: '&', commat: '@', period: '.' })[name]),
  (text) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  (text) => text.replace(/&#x([0-9a-f]+);/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  (text) => text.replace(/<[^>]*>|[\u200b\u00ad\0]|[\\%]u0040/g, (piece) => (/u0040/.test(piece) ? '@' : '')),
  (text) => text.replace(/\\100/g, '@').replace(/["\\]/g, ''),
  (text) => text.replace(/(?:\s|&nbsp;)*[([]?(?:@|\bat\b)[)\]]?(?:\s|&nbsp;)*/g, '@').replace(/ \[dot\] /g, '.'),
  (text) => text.replace(/[\w+/-]{16,}/g, (run) => ` ${Buffer.from(run, 'base64').toString('latin1')} `),
  (text) => text.replace(/[0-9a-f]{20,}/gi, (run) => ` ${Buffer.from(run, 'hex').toString('latin1')} `),
]

/** Returns every result of two steps in any order. */
function reachable(text: string): string[] {
  let texts = new Set([text])
  for (let round = 0; round < 2; round++)
    texts = new Set([...texts, ...[...texts].flatMap((one) => steps.map((step) => step(one)))])
  return [...texts].map((one) => one.toLowerCase())
}

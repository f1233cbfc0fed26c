import { expect, it } from 'vitest'
import { fingerprintMessage } from '#lib/relay/quote/fingerprint/fingerprint-message'
import { rewriteReply } from '#lib/relay/reply/rewrite/rewrite-reply'
import { aboutReply, message } from '#lib/testing/relay/reply'

const key = Buffer.alloc(32, 7)
const alias = aboutReply.alias.split('@')[0] as string
const sender = 'Acme News'
const [named, stranger] = ['alice.liddell@example.org', 'edith.pleasance@example.com']
const paragraphs = [
  'Dear customer, thank you for your order of last Friday. We have packed everything you\nasked for, and the parcel leaves our house this evening.',
  `Is ${named} the address\nthat you use?`,
  'You can follow the parcel on our page whenever you like, and write to us at any\ntime if something is missing or broken.',
]
const text = paragraphs.join('\n\n')
const page = paragraphs.map((one) => `<p>${one}</p>`).join('\n')
const link = `<a href="https://acme.example/answer?of=${named}">Answer here</a>`

/** Returns the message that the app receives from a person with this address. */
function replyOf(address: string, subtype: 'plain' | 'html', sent: string, body: string): string {
  const fields = `Subject: Order 7\r\nContent-Type: text/${subtype}; charset=utf-8`
  const raw = Buffer.from(`${fields}\r\n\r\n${sent.replaceAll('\n', '\r\n')}`)
  const result = rewriteReply(message(fields, body.replaceAll('\n', '\r\n')), {
    ...aboutReply,
    hidden: [address],
    sent: [{ key, alias, prints: fingerprintMessage(raw, { key, alias, sender }) }],
  })
  return result.kind === 'rewritten' ? result.message.toString('latin1') : result.reason
}

function expectSame(subtype: 'plain' | 'html', sent: string, body: string) {
  expect(body).toContain(named)
  expect(replyOf(named, subtype, sent, body)).toBe(replyOf(stranger, subtype, sent, body))
}

it.each([
  ['with the name of the sender before each line', `Acme wrote:\n${text.replace(/^/gm, 'Acme> ')}\n`],
  ['with bars', `Acme wrote:\n${text.replace(/^/gm, '| ')}\n`],
  ['indented', `Acme wrote:\n${text.replace(/^/gm, '    ')}\n`],
  ['after a line', `Yes.\n\n-----Original Message-----\n${text}\n`],
  ['after two fields', `Yes.\n\nFrom: ${sender}\nSent: today\n\n${text}\n`],
  ['without any mark', `Yes.\n\n${text}\n`],
  ['answered in between', `${text.replace('\n\nIs', '\n\nWhen?\n\nIs').replace('use?', 'use?\n\nNo.')}\n`],
])('reveals nothing about the person when a plain text is quoted %s', (_, body) => expectSame('plain', text, body))

it.each([
  ['Spark', `<div>Yes.</div><div>On 20 Nov 2026, ${sender} wrote:<br><div class="spark_quote">${page}</div></div>`],
  ['Yahoo', `<div>Yes.</div><div class="yahoo_quoted"><div>On Friday, ${sender} wrote:</div><div>${page}</div></div>`],
  ['a program without marks', `<div>Yes.</div>${page}`],
])('reveals nothing about the person when a page is quoted by %s', (_, body) => expectSame('html', page, body))

it('reveals nothing about the person through a link target in a page that is quoted without marks', () =>
  expectSame('html', page + link, `<div>Yes.</div>${page}${link}`))

it('reveals nothing about the person when a short message is repeated', () =>
  expectSame('plain', `Are you ${named}?`, `Are you ${named}?\n\nNo.\n`))

it('keeps addresses of others in the person’s own text', () => {
  const body = `Please write to bob@example.com instead.\n\nOn Friday ${sender} <${aboutReply.reverse}> wrote:\n\n${text.replace(/^/gm, '> ')}\n`
  expect(replyOf(stranger, 'plain', text, body)).toContain('bob@example.com')
})

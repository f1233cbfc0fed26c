import { describe, expect, it } from 'vitest'
import { fingerprintMessage } from '#lib/relay/quote/fingerprint/fingerprint-message'
import { rewriteReply } from '#lib/relay/reply/rewrite/rewrite-reply'
import { aboutReply, message } from '#lib/testing/relay/reply'

const key = Buffer.alloc(32, 7)
const alias = aboutReply.alias.split('@')[0] as string
const address = 'alice@example.org'
const sender = 'News (news at acme.example)'
const opening =
  'Dear customer, thank you for your order of last Friday. We have packed everything you asked for, and the parcel leaves our house this evening. You can follow it on our page whenever you like.'
const signature =
  'Alice Liddell, Senior Director of Tea Parties and Croquet at Wonderland Industries Limited\nRabbit Hole Seven, Oxford, England, telephone 01865 270000, mobile 07700 900123\n'
const disclaimer =
  'This message is meant for its reader alone. If you are not that reader, tell us, and forget what you have read. Nothing in it binds Wonderland Industries Limited, its queens, its cards or its cats, and nobody has to print it.'

const written = (subtype: string, text: string) =>
  Buffer.from(`Content-Type: text/${subtype}; charset=utf-8\r\n\r\n${text.replace(/\r?\n/g, '\r\n')}`)

/** Returns the message that the app receives in reply to a message with this text. */
function replyTo(planted: string, words: string, subtype = 'plain'): string {
  const raw = Buffer.from(
    `Subject: Order 7\r\nContent-Type: text/${subtype}; charset=utf-8\r\n\r\n${planted.replace(/\r?\n/g, '\r\n')}`,
  )
  const result = rewriteReply(
    message(`Subject: Re: Order 7\r\n${fieldsOf(subtype)}`, words.replace(/\r?\n/g, '\r\n')),
    {
      ...aboutReply,
      sent: [{ key, alias, prints: fingerprintMessage(raw, { key, alias, sender }) }],
    },
  )
  const text = result.kind === 'rewritten' ? result.message.toString('latin1') : result.reason
  return text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, byte) => String.fromCharCode(Number.parseInt(byte, 16)))
}

const fieldsOf = (subtype: string) => `Content-Type: text/${subtype}; charset=utf-8`
const quote = (text: string) => text.replace(/^/gm, '> ')
const introduction = `On Fri, Nov 20, 2026 at 10:00 AM ${sender} <${aboutReply.reverse}> wrote:`
const header = (to: string) =>
  `From: ${sender} <${aboutReply.reverse}>\nSent: Friday, November 20, 2026 10:00 AM\nTo: ${to}\nSubject: Order 7`

describe('an address that the app planted', () => {
  it('stays in the quotation of the app’s text', () => {
    const planted = `${opening} We write to ${address}. ${disclaimer}`
    expect(replyTo(planted, `Thanks\n\n${introduction}\n\n${quote(planted)}\n`)).toContain(`We write to ${address}.`)
  })

  it('stays in a quoted message that is shorter than a block', () => {
    expect(replyTo(`Are you ${address}?`, `No\n\n${introduction}\n\n> Are you ${address}?\n`)).toContain(
      `> Are you ${address}?`,
    )
  })

  it('stays in a message of the app that quotes earlier messages', () => {
    const earlier = `${opening} We write to ${address}. ${disclaimer}`
    const planted = `As we said.\n\nOn Thu, Alice <${aboutReply.alias}> wrote:\n${quote(`Why?\n\nNews wrote:\n${quote(earlier)}`)}`
    const sent = replyTo(planted, `I see, ${address}\n\n${introduction}\n\n${quote(planted)}\n`)
    expect(sent).toContain(`We write to ${address}.`)
    expect(sent.split(address)).toHaveLength(2)
  })

  it('is hidden in every other place of the same reply', () => {
    const planted = `${opening} We write to ${address}. ${disclaimer}`
    const sent = replyTo(planted, `I am ${address}\n\n${introduction}\n\n${quote(planted)}\n\n${address}\n`)
    expect(sent.split(address)).toHaveLength(2)
  })
})

describe('a real address that the app planted before', () => {
  it('is hidden in the signature, whether or not its copy is quoted', () => {
    const planted = `${opening}\n\nThanks\n\n${signature}${address}\n${disclaimer}\n\n${introduction}\n\n${opening}`
    const own = `Thanks\n\n${signature}${address}\n${disclaimer}\n\n${introduction}\n\n`
    expect(replyTo(planted, own)).not.toContain(address)
    expect(replyTo(planted, `${own}${quote(opening)}\n`)).not.toContain(address)
    expect(replyTo(planted, own + quote(planted)).split(address)).toHaveLength(2)
  })

  it('is hidden in the signature below a quotation that ends with a copy of it', () => {
    const planted = `${opening} ${disclaimer}\n\n${signature}${address}`
    const trimmed = `${introduction}\n\n${quote(`${opening} ${disclaimer}`)}\n\n${signature}${address}\n`
    expect(replyTo(planted, trimmed)).not.toContain(address)
  })

  it('is hidden in the header block of a mail program when the message consists of copies of that block', () => {
    const planted = `${header(address)}\n\n`.repeat(8)
    const sent = replyTo(planted, `Thanks\n\n${header(address)}\n\n${planted}`)
    expect(sent.slice(0, sent.indexOf('Order 7', sent.indexOf('Sent:')))).not.toContain(address)
    expect(replyTo(planted, `Thanks\n\n${header(address)}\n\n`)).not.toContain(address)
  })

  it('is hidden in the attribution line when the message consists of copies of that line', () => {
    const line = `On Fri, Nov 20, 2026 at 10:00 AM Alice <${address}> wrote:`
    const planted = `${line}\n${opening}\n`.repeat(5)
    const sent = replyTo(planted, `Thanks\n\n${line}\n${quote(planted)}`)
    expect(sent.slice(0, sent.indexOf('> '))).not.toContain(address)
  })

  it('is hidden in the parameters that a gateway adds to links of the message', () => {
    const link = 'https://acme.example/orders/7?from=newsletter&who=7'
    const page = (href: string) => `<p>${opening} <a href="${href}">Your order</a> ${disclaimer} ${address}</p>`
    const checked = `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(link)}&amp;data=05%7C02%7C${encodeURIComponent(address)}%7C0abc&amp;reserved=0`
    const sent = replyTo(page(link), `<p>Hi</p><blockquote type="cite">${page(checked)}</blockquote>`, 'html')
    expect(sent).not.toContain(encodeURIComponent(address))
    expect(sent).toContain(encodeURIComponent(link))
  })

  it('is hidden in a contact card that a mail program attaches', () => {
    const card = `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Alice\r\nEMAIL:${address}\r\nEND:VCARD\r\n`
    const part = `--b\r\nContent-Type: text/vcard; charset=utf-8\r\nContent-Disposition: attachment; filename=alice.vcf\r\n\r\n${card}\r\n--b--\r\n`
    const type = 'Content-Type: multipart/mixed; boundary=b'
    const prints = fingerprintMessage(Buffer.from(`${type}\r\n\r\n${part}`), { key, alias, sender })
    const result = rewriteReply(message(type, part), { ...aboutReply, sent: [{ key, alias, prints }] })
    expect(result.kind === 'rewritten' && result.message.toString('latin1')).not.toContain(address)
  })
})

describe('an unknown quotation', () => {
  it('is relayed without anything that could be a name', () => {
    const strange = (one: string) =>
      replyTo(opening, `Hi\n\n${introduction}\n\n> Are you ${one}, or is it somebody else?\n`)
    expect(strange('bob@example.com')).toBe(strange(address))
    expect(strange('bob at example dot com')).toBe(strange('alice at example dot org'))
    expect(strange('4b9bb80620f03eb3719e0a061c14283d')).toBe(strange('c160f8cc69a4f0bf2b0362752353d060'))
    expect(strange(address)).toContain('or is it somebody else?')
  })
})

describe('a message that cannot be recognised later', () => {
  it.each([
    ['more text than the limit', written('plain', '. '.repeat(800_000))],
    ['an unknown transfer encoding', Buffer.from('Content-Transfer-Encoding: x-own\r\n\r\nabc')],
    ['an unsupported charset', Buffer.from('Content-Type: text/plain; charset=utf-7\r\n\r\nabc')],
  ])('has no fingerprints: %s', (_, raw) => {
    expect(fingerprintMessage(raw, { key, alias, sender })).toHaveLength(0)
  })
})

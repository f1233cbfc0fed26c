import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { aboutReply } from '#lib/testing/relay/reply'
import { mailPrograms, type Quoted, type Received, type Writer } from './mail-programs.ts'

/**
 * A message of an app that guesses the person's address: many candidates in one spelling at one place of the message.
 */
export type Guesses = { place: string; spelling: string; around: string; candidates: string[]; at: number }

/** Spellings of an address that the relay finds and replaces in a reply. */
export const spellings: Record<string, (address: string) => string> = {
  plain: (address) => address,
  capitals: (address) => address.toUpperCase(),
  percent: (address) => address.replace('@', '%40'),
  written: (address) => address.replace('@', ' at ').replaceAll('.', ' dot '),
  'in brackets': (address) => address.replace('@', ' [at] '),
  'between angles': (address) => `<${address}>`,
  'bounce address': (address) => `bounce+${address.replace('@', '=')}@acme.example`,
  link: (address) => `https://acme.example/unsubscribe?user=${encodeURIComponent(address)}&list=7`,
  md5: (address) => createHash('md5').update(address).digest('hex'),
  sha256: (address) => createHash('sha256').update(address).digest('hex'),
  base64: (address) => Buffer.from(address).toString('base64'),
  'base64 of JSON': (address) => Buffer.from(`{"id":7,"to":"${address}"}`).toString('base64url'),
  hexadecimal: (address) => Buffer.from(address).toString('hex'),
}

/** Functions that put candidates into a page. `many` are the candidates in one spelling. */
export const pagePlaces: Record<string, (many: string[]) => string> = {
  'a hidden block': (many) => `<div style="display:none;font-size:1px">${many.map(html).join(' ')}</div>`,
  'a paragraph': (many) => `<p>${many.map(html).join(', ')}</p>`,
  'a table': (many) =>
    `<table>${many.map((one, at) => `<tr><td>${at}</td><td>${html(one)}</td></tr>`).join('')}</table>`,
  'a list': (many) => `<ol>${many.map((one) => `<li>${html(one)}</li>`).join('\n')}</ol>`,
  titles: (many) => many.map((one, at) => `<span class="x" title="${html(one)}">word${at}</span>`).join(' '),
  'names of pictures': (many) =>
    many.map((one, at) => `<img width=1 alt='${html(one)}' src="https://acme.example/${at}.png">`).join(' '),
  'links to pages': (many) =>
    many
      .map(
        (one, at) =>
          `<a target=_blank href="https://acme.example/p?${at}&amp;who=${encodeURIComponent(one)}">page ${at}</a>`,
      )
      .join(' '),
  'links to addresses': (many) => many.map((one, at) => `<a href="mailto:${html(one)}">write${at}</a>`).join(' '),
  classes: (many) => many.map((one, at) => `<b class="${html(one.replaceAll(' ', '_'))}">bold${at}</b>`).join(' '),
  'entities throughout': (many) =>
    `<p>${many.map((one) => one.replace(/[@.]/g, (char) => `&#${char.charCodeAt(0)};`)).join(' ')}</p>`,
  'fake quotations': (many) =>
    many
      .map(
        (one) =>
          `<div>On Fri, Nov 20, 2026 at 10:00 AM ${html(one)} wrote:<br></div><blockquote>${openingWords.slice(0, 200)}</blockquote>`,
      )
      .join(''),
  'fake header blocks': (many) =>
    many
      .map(
        (one) => `<p><b>From:</b> News<br><b>Sent:</b> today<br><b>To:</b> ${html(one)}<br><b>Subject:</b> Order 7</p>`,
      )
      .join(''),
}

export const textPlaces: Record<string, (many: string[]) => string> = {
  lines: (many) => many.join('\n'),
  sentences: (many) => many.map((one) => `We know ${one} well.`).join(' '),
  'fake header blocks': (many) =>
    many.map((one) => `From: News\nSent: today\nTo: ${one}\nSubject: Order 7\n`).join('\n'),
  'fake quotations': (many) =>
    many.map((one) => `On Friday ${one} wrote:\n> ${openingWords.slice(0, 60)}\n`).join('\n'),
  'fake signatures': (many) => many.map((one) => `Thanks!\n\n-- \nAlice Liddell\n${one}\n`).join('\n'),
}

export const headPlaces = ['subject', 'sender', 'Message-ID', 'name of a picture', 'bytes of a picture']

const html = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

const openingWords =
  'Dear customer, thank you for your order of last Friday. We have packed everything you asked for, and the parcel leaves our house this evening. You can follow it on our page. If something is missing, simply answer this message, and somebody who knows your order will look into it.'
const closingWords =
  'With kind regards from all of us. You get this message because you have ordered something. Our office is open from Monday to Friday between nine and five, and on Saturdays in December. Nobody has to read on from here, but those who do will find our terms and the way back to where they came from.'

const person = fc.stringMatching(/^[a-z]{4,9}$/)
/** Unique random addresses, some of which share a first name, a last name or a domain. */
export const someAddresses = (count: number): fc.Arbitrary<string[]> =>
  fc
    .uniqueArray(fc.tuple(person, person, fc.constantFrom('example.org', 'mail.example.net', 'example.com')), {
      minLength: count,
      maxLength: count,
      selector: ([first, last]) => `${first}.${last}`,
    })
    .map((people) => people.map(([first, last, domain]) => `${first}.${last}@${domain}`))

/** The text before and after the candidates. */
export const contexts: Record<string, [string, string]> = {
  'first in the message': ['', closingWords],
  'last in the message': [openingWords, ''],
  'in the middle': [openingWords, closingWords],
  alone: ['', ''],
}

/**
 * Returns a message of an app that tests which candidate is the person's address, and the same message as a mail
 * program displays it.
 */
export function guess({ place, spelling, around, candidates }: Omit<Guesses, 'at'>): {
  raw: Buffer
  received: Received
} {
  const many = candidates.map(spellings[spelling] as (address: string) => string)
  const [before, after] = contexts[around] as [string, string]
  const [page, text] = [pagePlaces[place], textPlaces[place.replace(/^text: /, '')]]
  const inHead = headPlaces.includes(place)
  const one = many.join(' ').slice(0, 300)
  const received: Received = {
    fromName:
      place === 'sender'
        ? `${(many[0] as string).slice(0, 60).replaceAll('@', ' at ').replaceAll('"', '')} (news at acme.example)`
        : 'News (news at acme.example)',
    reverse: aboutReply.reverse,
    alias: aboutReply.alias,
    subject: place === 'subject' ? `Your order, ${one}` : 'Order 7',
    text: place.startsWith('text: ') && text ? [before, text(many), after].filter(Boolean).join('\n\n') : undefined,
    html:
      inHead || page
        ? pageOf(before, page && !place.startsWith('text: ') ? page(many) : '<p>Look.</p>', after)
        : undefined,
    pictures: place.endsWith('of a picture')
      ? [
          {
            name: place === 'name of a picture' ? `${(many[0] as string).replace(/[^\w@.+-]/g, '')}.png` : 'logo.png',
            contentId: 'logo@acme.example',
            bytes: Buffer.from(`\x89PNG ${place === 'bytes of a picture' ? many.join(' ') : ''}`, 'latin1'),
          },
        ]
      : [],
    messageId: place === 'Message-ID' ? `<${candidates[0]}>` : '<order-7@acme.example>',
  }
  return { raw: writeGuess(received), received }
}

const pageOf = (before: string, inside: string, after: string): string =>
  `<html><head><title>Order</title><style>p { color: black }</style></head><body><!-- made by hand --><p class="intro">${before}</p>${inside}<p>${after}</p></body></html>`

function writeGuess({ fromName, subject, text, html: page, pictures, messageId }: Received): Buffer {
  const leaf =
    page === undefined
      ? `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${lined(Buffer.from((text ?? '').replaceAll('\n', '\r\n')))}`
      : `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${lined(Buffer.from(page))}`
  const files = pictures.map(
    ({ name, contentId, bytes }) =>
      `Content-Type: image/png\r\nContent-Disposition: inline; filename="${name}"\r\nContent-ID: <${contentId}>\r\nContent-Transfer-Encoding: base64\r\n\r\n${lined(bytes)}`,
  )
  const body =
    files.length === 0
      ? leaf
      : `Content-Type: multipart/related; boundary="app"\r\n\r\n${[leaf, ...files].map((one) => `--app\r\n${one}\r\n`).join('')}--app--\r\n`
  const head = `From: ${encoded(fromName)} <news@acme.example>\r\nSubject: ${encoded(subject)}\r\nMessage-ID: ${messageId}\r\nMIME-Version: 1.0\r\n`
  return Buffer.from(head + body)
}

/** Returns the person's reply in the format of a mail program. */
export function answer(program: string, received: Received, address: string, words: string): Buffer {
  const writer = {
    address,
    words,
    signature: `Alice Liddell\nWonderland Industries, Oxford\n${address}\nTel. +44 1865 270000`,
  }
  const { fields, body } = (mailPrograms[program] as (received: Received, writer: Writer) => Quoted)(received, writer)
  const { reverse, subject, messageId } = received
  return Buffer.from(
    `From: Alice <${address}>\r\nTo: ${encoded(received.fromName)} <${reverse}>\r\nSubject: ${encoded(`Re: ${subject}`)}\r\nMessage-ID: <reply-1@mail.example>\r\nIn-Reply-To: ${messageId}\r\nReferences: ${messageId}\r\nMIME-Version: 1.0\r\n${fields}\r\n${body}`,
  )
}

const encoded = (text: string): string =>
  (text.match(/.{1,40}/gs) ?? []).map((piece) => `=?UTF-8?B?${Buffer.from(piece).toString('base64')}?=`).join('\r\n ')
const lined = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}/g, '$&\r\n')

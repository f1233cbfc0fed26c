import type { Mailbox } from '#lib/relay/mime/mailboxes'

/**
 * How the sender of a forwarded message is shown: "Acme Billing (billing at acme.example)". No @ appears, because mail programs take
 * a name with another address in it for a forgery. ASCII goes in quotes, anything else in encoded words (RFC 2047).
 */
export function forwardName(from: Mailbox, appName: string): string {
  const address = spelled(from.address)
  const name = cut(spelled(from.name) || spelled(appName))
  const shown = name === '' || name === address ? address : `${name} (${address})`
  return isPrintableAscii(shown) ? `"${shown.replace(/["\\]/g, '\\$&')}"` : encodedWords(shown)
}

const mostCharacters = 64

/** Without @ in any form, without characters that nobody sees or that turn the text around them. */
const spelled = (text: string) =>
  text
    .toWellFormed()
    .replace(/[@\uff20\ufe6b]/g, ' at ')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

const cut = (text: string) => [...text].slice(0, mostCharacters).join('').trim()

const isPrintableAscii = (text: string) => /^[ -~]*$/.test(text)

/** Each word ends with a whole character and is at most 75 characters long. */
function encodedWords(text: string): string {
  const words: string[] = []
  let word = ''
  for (const character of text) {
    if (Buffer.byteLength(word + character) > mostBytes) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((one) => `=?utf-8?B?${Buffer.from(one).toString('base64')}?=`).join('\r\n ')
}

const mostBytes = 45

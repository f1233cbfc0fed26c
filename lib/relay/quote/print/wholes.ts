import { createHash } from 'node:crypto'
import { lettersOf } from '#lib/relay/quote/reading/letters'

/** The digest by which a whole part is recognised; for a text, line ends do not matter. */
export function partContent(type: string, bytes: Buffer): string {
  const content = type.startsWith('text/') ? bytes.toString('latin1').replace(/\r\n?/g, '\n').trimEnd() : bytes
  return createHash('sha256').update(content).digest('base64')
}

/** The letters of a subject as it is, and without what mail programs put in front of it ("Re:", "AW:", "回复:"). */
export function subjectsOf(subject: string): string[] {
  const found = [subject]
  for (let rest = subject; found.length <= mostPrefixes; ) {
    const prefix = replyPrefix.exec(rest)?.[0]
    if (prefix === undefined) break
    rest = rest.slice(prefix.length)
    found.push(rest)
  }
  return found.map(lettersOf)
}

/** "Re:", "AW[2]:", and what gateways write, such as "[EXTERNAL]". */
export const replyPrefix = /^\s*(?:\p{L}{1,8}\s?(?:\[\d{1,3}\]|\(\d{1,3}\))?\s?[:\uff1a]|\[[^\][]{1,40}\])\s*/u
const mostPrefixes = 4

/** The names of the calendar entries in a part (RFC 5545 §3.8.4.7): an answer to an invitation has to repeat them. */
export function entriesOf(type: string, bytes: Buffer): string[] {
  if (!/^(text\/(x-)?v?calendar|application\/ics)$/.test(type)) return []
  const lines = bytes.toString('utf8').replace(/\r?\n[ \t]/g, '')
  return Array.from(lines.matchAll(/^UID(?:;[^:\r\n]*)?:([^\r\n]*)/gim), ([, uid = '']) => uid.trim()).slice(
    0,
    mostEntries,
  )
}

const mostEntries = 100

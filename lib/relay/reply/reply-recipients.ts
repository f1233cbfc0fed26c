import { fieldValue, type HeaderField } from '../message/header-fields.ts'
import { isSpelled, spellingsOf } from './spellings.ts'

/** Whether a reply names nobody but the app and the person: what is sent on has one recipient (relay §6). */
export function namesNobodyElse(fields: HeaderField[], known: string[], own: string[]): boolean {
  const allowed = new Set(known.map((address) => address.toLowerCase()))
  const spellings = spellingsOf(own)
  const named = fields.filter(({ name }) => ['to', 'cc', 'bcc'].includes(name))
  // Longer ones name others, whatever they say; reading them takes time with the square of their length.
  if (named.some(({ raw }) => raw.length > longest)) return false
  return named
    .flatMap((field) => addressesIn(fieldValue(field)))
    .every((address) => allowed.has(address) || isSpelled(spellings, address))
}

const longest = 16_384

/** Everything with an @ outside names and comments; a quoted local part is an address that nobody here has. */
function addressesIn(value: string): string[] {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  const bare = text.replace(/"(?:[^"\\]|\\.)*"(?!@)|\((?:[^()\\]|\\.)*\)/g, ' ')
  return (bare.match(/[^\s<>,;:]*@[^\s<>,;]*/g) ?? []).map((address) => address.toLowerCase())
}

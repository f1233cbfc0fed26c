import { encodeWords } from '#lib/relay/mime/encoded-words'

/** A mailbox as a header field holds it: the name, if there is one, in quotes when it is plain. */
export function writeMailbox(name: string, address: string): string {
  const clean = name
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200)
  if (clean === '') return `<${address}>`
  return `${/^[ -~]*$/.test(clean) ? `"${clean.replace(/["\\]/g, '\\$&')}"` : encodeWords(clean)} <${address}>`
}

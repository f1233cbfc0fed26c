/** No digit or letter that is taken for another: 31 characters, the letters from the ninth on (relay §2). */
export const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

const base = BigInt(alphabet.length)

/** A number in this alphabet, always so many characters; what does not fit into them is left out. */
export function spell(number: bigint, length: number): string {
  let left = number
  let text = ''
  while (text.length < length) {
    text = alphabet[Number(left % base)] + text
    left /= base
  }
  return text
}

/** The number again; undefined for a text with any other character. */
export function unspell(text: string): bigint | undefined {
  let number = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit === -1) return undefined
    number = number * base + BigInt(digit)
  }
  return number
}

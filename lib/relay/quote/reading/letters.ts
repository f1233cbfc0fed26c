/**
 * The letters and digits of a text in one form: without case, accents, width, punctuation and white space. Quoting, wrapping,
 * another character set or a new serialisation of HTML do not change them.
 */
export function lettersOf(text: string): string {
  let letters = ''
  for (const character of text) letters += lettersOfCharacter(character)
  return letters
}

/** What one character adds to the letters of a text; most often itself or nothing. */
export function lettersOfCharacter(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 128 && character.length === 1) return ascii[code] as string
  const known = others.get(character)
  if (known !== undefined) return known
  const letters = [...character.normalize('NFKD').toLowerCase()].filter((one) => /[\p{L}\p{N}]/u.test(one)).join('')
  if (others.size > mostRemembered) others.clear()
  others.set(character, letters)
  return letters
}

const ascii = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[a-z0-9]/i.test(character) ? character.toLowerCase() : ''
})

const others = new Map<string, string>()
const mostRemembered = 20_000

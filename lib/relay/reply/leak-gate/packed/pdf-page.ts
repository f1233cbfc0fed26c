/**
 * Returns the strings that a PDF page shows (ISO 32000-1 §9.4.3) in two versions: joined directly, and with a space
 * wherever the position moves. A move between two strings can be kerning inside a word or a space between words.
 */
export function readPage(page: Buffer): [joined: Buffer, apart: Buffer] {
  const joined: string[] = []
  const apart: string[] = []
  const show = (text: string) => {
    joined.push(text)
    apart.push(text)
  }
  const text = page.toString('latin1')
  let nextEnd = -1
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string
    if (char === '(') {
      const end = endOfString(text, at)
      show(text.slice(at + 1, end - 1))
      at = end
    } else if (char === '<' && text[at + 1] !== '<') {
      // Each `>` is searched only once, even if many `<` precede it, so that the loop stays linear.
      if (nextEnd < at) nextEnd = nextOr(text, '>', at)
      const digits = text.slice(at + 1, nextEnd)
      const isHex = digits.length < 65_536 && /^[0-9a-f\s]*$/i.test(digits)
      if (isHex) show(Buffer.from(digits.replace(/\s+/g, ''), 'hex').toString('latin1'))
      at = isHex ? nextEnd + 1 : at + 1
    } else if (isWordLetter(char)) {
      let end = at + 1
      while (end < text.length && isWordLetter(text[end] as string)) end++
      if (movesOn(text.slice(at, Math.min(end, at + 20)))) apart.push(' ')
      at = end
    } else at++
  }
  return [Buffer.from(joined.join(''), 'latin1'), Buffer.from(apart.join(''), 'latin1')]
}

/**
 * Returns the index after the closing parenthesis of a string. Parentheses inside a string are balanced or escaped.
 */
function endOfString(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '(') depth++
    else if (char === ')' && --depth === 0) return at + 1
  }
  return text.length + 1
}

const nextOr = (text: string, sign: string, from: number): number => {
  const found = text.indexOf(sign, from)
  return found === -1 ? text.length : found
}

const isWordLetter = (char: string): boolean => /[-+.\w*'"]/.test(char)

/** In thousandths of the font size: a space is about 250 wide, kerning seldom 100. */
const asWideAsBlank = -150
const movesOn = (word: string): boolean => /^(T[dDm*]|ET|['"])$/.test(word) || Number(word) < asWideAsBlank

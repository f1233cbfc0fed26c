import { z } from 'zod'

/** A text without control characters; its length counts Unicode code points. */
export function plainText(least: number, most: number) {
  return text
    .refine((value) => !unprintable.test(value), { error: 'must not hold control characters' })
    .pipe(
      z
        .string()
        .trim()
        .refine((value) => characters(value) >= least && characters(value) <= most, {
          error: lengthSentence(least, most),
        }),
    )
}

/** A text that may have several lines. */
export function longText(most: number) {
  return text
    .refine((value) => !unprintable.test(value.replace(/[\t\n\r]/g, '')), { error: 'must not hold control characters' })
    .refine((value) => characters(value) <= most, { error: lengthSentence(0, most) })
}

/** A string that both databases can store. */
export const text = z
  .string({ error: (issue) => (issue.input === undefined ? 'is missing' : 'must be text') })
  .refine((value) => value.isWellFormed() && !value.includes('\0'), { error: 'must not hold NUL or broken characters' })

/** Accepts one of these words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, {
    error: (issue) => (issue.input === undefined ? `is missing: give ${list(words)}` : `must be ${list(words)}`),
  })

export const characters = (value: string) => [...value].length

const list = (words: readonly string[]) => {
  const shown = words.map((word) => (word === '' ? '""' : word))
  return shown.length === 1 ? String(shown[0]) : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}

const lengthSentence = (least: number, most: number) =>
  least === 0 ? `must have at most ${most} characters` : `must have ${least} to ${most} characters`

// Control characters, line separators, and marks that change the direction of surrounding text.
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/**
 * Returns how many random bits a text of this length and alphabet can hold at most. With fewer than half as many
 * different characters as chance gives, the alphabet is taken to be only these characters.
 */
export function estimatedBits(text: string): number {
  const size = alphabets.find(({ pattern }) => pattern.test(text))?.size ?? 64
  const different = new Set(text).size
  const expected = size * (1 - (1 - 1 / size) ** text.length)
  return text.length * Math.log2(2 * different < expected ? different : size)
}

const alphabets = [
  { pattern: /^\d+$/, size: 10 },
  { pattern: /^[\da-f-]+$|^[\dA-F-]+$/, size: 16 },
  { pattern: /^[\da-z]+$|^[\dA-Z]+$/, size: 36 },
]

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Returns the first letters of the first and last word; one character for scripts without such initials. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = [...(words[0] ?? '')][0] ?? ''
  const last = words.length > 1 && !unabbreviated.test(first) ? ([...(words.at(-1) ?? '')][0] ?? '') : ''
  return (first + last).toUpperCase()
}

const unabbreviated = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

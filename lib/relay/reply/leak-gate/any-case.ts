/**
 * Returns the source of a pattern that matches each letter in every case, as the flag `i` would. Does not change classes
 * such as `\w` and `\p{Lu}`, nor references to a group. Needed where one part of a pattern depends on the case: V8 can
 * miss matches if a group changes the flags (https://github.com/nodejs/node/issues/60030).
 */
export const anyCase = (source: string): string =>
  source.replace(tokens, (token, set: string | undefined, code: string | undefined) => {
    if (set) return set.replace(members, (member, letters: string | undefined) => (letters ? inBoth(letters) : member))
    const char = code ? String.fromCodePoint(Number.parseInt(code, 16)) : token
    return hasCases.test(char) ? `[${casesOf(char).join('')}]` : token
  })

/** A set, an escape, the name of a group, or one character. `RegExp.escape` writes a first letter as `\x62`. */
const tokens =
  /(\[(?:\\.|[^\\\]])*\])|\\[xu]((?<=x)[0-9a-f]{2}|(?<=u)[0-9a-f]{4})|\\[pu]\{[^}]*\}|\(\?<[a-z]\w*>|\\k<\w+>|\\.|./gisu
const members = /\\[pu]\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\.|(\p{L}(?:-\p{L})?)/giu
const inBoth = (letters: string): string =>
  letters.length > 1 ? letters.toLowerCase() + letters.toUpperCase() : casesOf(letters).join('')
const hasCases = /^\p{CWCM}$/u

/** Returns a letter and those that differ from it in case only, such as the Kelvin sign for `k`. */
function casesOf(letter: string): string[] {
  const known = casesOfLetters.get(letter) ?? lettersWithCases().match(new RegExp(letter, 'giu')) ?? [letter]
  casesOfLetters.set(letter, known)
  return known
}

const casesOfLetters = new Map<string, string[]>()
let cased = ''
/** The letters above U+1FFFF have no cases. */
function lettersWithCases(): string {
  cased ||= Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code))
    .join('')
    .replace(/\P{CWCM}/gu, '')
  return cased
}

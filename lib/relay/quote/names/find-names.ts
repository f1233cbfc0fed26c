import { lettersOf, type Span } from '#lib/relay/quote/reading/reading'
import { findFolders } from '#lib/relay/reply/leak-gate/home-paths'
import { formsOf, isDigestLike, longRun, unescapeFully } from './name-forms.ts'

/**
 * A part of a text that could name a person: an address in any spelling, a digest, encoded text that contains an
 * address, or the home folder of an account. `forms` identify the name regardless of its escapes and the surrounding
 * text.
 */
export type Name = { span: Span; text: string; kind: 'address' | 'folder'; forms: string[] }

/** Returns the names in a text: whole words without the punctuation around them, and home folders. */
export function findNames(text: string): Name[] {
  const words = wordsOf(text)
  const names: Name[] = []
  for (let at = 0; at < words.length; at++) {
    const [first, last] = findSpelledOut(words, at) ?? [at, at]
    const [start, end] = [words[first] as Word, words[last] as Word]
    const name = makeName(text, [start.from, end.from + end.word.length])
    if (!name) continue
    if (first < at && names.at(-1)?.span[0] === start.from) names.pop()
    names.push(name)
    at = last
  }
  return [...names, ...findFolders(text).map((span) => makeFolder(text, span))]
}

/** `text` includes the path before the folder, because the patterns for the person's home folder need it. */
const makeFolder = (text: string, [from, to]: Span): Name => ({
  span: [from, to],
  text: text.slice(Math.max(0, from - longestPath), to),
  kind: 'folder',
  forms: [`folder ${lettersOf(text.slice(from, to))}`],
})

const longestPath = 120

type Word = { word: string; from: number }

/**
 * Splits a text at white space, quotes and the separators of files, links and lists. A separator inside an escape
 * does not split.
 */
const wordsOf = (text: string): Word[] =>
  Array.from(text.matchAll(wordPattern), ({ 0: word, index }) => trim({ word, from: index }))
    .flatMap(partsOfPath)
    .filter(({ word }) => /[\p{L}\p{N}@]|^\.$/u.test(word))

/** Removes the punctuation around a word. Brackets stay if they enclose "at" or "dot". */
function trim({ word, from }: Word): Word {
  let [start, end] = [0, word.length]
  while (start < end && isAround(word, start, !/^[[(](?:at|dot|@|\.)[\])]/i.test(word.slice(start, start + 5)))) start++
  while (
    end > start &&
    isAround(word, end - 1, !/(?:\bat|\bdot|[@.])[\])]$/i.test(word.slice(Math.max(start, end - 5), end)))
  )
    end--
  // A sign before the word may belong to a base64 digest. Checked after the loop, because thousands of signs may precede
  // a word.
  const signs = /[+/-]{0,2}$/.exec(word.slice(Math.max(0, start - 2), start))?.[0].length ?? 0
  if (signs > 0 && isDigestLike(word.slice(start, end))) start -= signs
  return { word: word.slice(start, end), from: from + start }
}

/** Returns whether a character is punctuation around a word. Escape characters, `@` and `=` belong to the word. */
function isAround(word: string, at: number, areBrackets: boolean): boolean {
  const sign = word[at] as string
  if (/[[\]()]/.test(sign)) return areBrackets
  if (sign === '.') return word.length > 1 && at > 0
  return !/[\p{L}\p{N}\p{Cs}\p{Cf}\p{M}@%\\&=_;]/u.test(sign)
}

/**
 * Matches an inline tag, after which a word continues. Does not match the tag of a block or a cell, or a tag that
 * contains an address.
 */
const inlineTag = String.raw`<\/?(?!(?:p|div|br|hr|li|[ou]l|t[dhr]|table|tbody|h\d|d[dlt]|pre|blockquote|body|html)\b)[a-z][^<>@]{0,1000}>`
const wordPattern = new RegExp(
  String.raw`(?:&(?:amp;)*#?\w{1,24};|\\u\{[0-9a-f]{1,6}\}|(?<=\p{L})['\u2019](?=\p{L})|(?<=[^\s<>'\x22])(?:${inlineTag})+(?=[^\s<>'\x22])|[^\s<>"'\u2018\u2019\x60,;:|{}?&\u2026])+`,
  'giu',
)

/** Splits a path into words, unless it is a run of base64, in which the slash is a digit. */
function partsOfPath({ word, from }: Word): Word[] {
  if (!word.includes('/') || (word.match(longRun) ?? []).some(isDigestLike)) return [{ word, from }]
  return Array.from(word.matchAll(/(?:<\/?[^<>]*>|&lt;\/|[^/])+/g), (found) => ({
    word: found[0],
    from: from + found.index,
  }))
}

const isAt = /^(?:[[({<]?(?:at|@)[\])}>]?)$/i
const isDot = /^(?:[[({<]?(?:dot|\.)[\])}>]?)$/i
const mostWords = 12

/**
 * Returns the first and last word of "user at domain.example", "user @domain.example" or "user@ domain dot example",
 * given the index of the word with "at" or `@`.
 */
function findSpelledOut(words: Word[], at: number): Span | undefined {
  const word = (index: number): string => unescapeFully(words[index]?.word ?? '')
  const sign = word(at)
  const isOpen = /(?:[^@]@|\\40)$/.test(sign)
  const isGlued = /^(?:@|[[(]at[\])])./i.test(sign)
  if (!isGlued && !isOpen && !isAt.test(sign)) return undefined
  const start = isGlued ? at : at + 1
  let end = start
  while (end - at < mostWords) {
    if (isDot.test(word(end + 1)) && word(end + 2) !== '') end += 2
    else if (/^\.\p{L}/u.test(word(end + 1))) end += 1
    else break
  }
  if (end >= words.length) return undefined
  const isDotted = end > start || /[\p{L}\p{N}][.\u3002\uff0e\uff61]\p{L}/u.test(word(end).replace(/^@/, ''))
  return isDotted || /[@[(]/.test(sign) ? [isOpen ? at : Math.max(0, at - 1), end] : undefined
}

function makeName(text: string, span: Span): Name | undefined {
  const written = text.slice(...span)
  const forms = mayName.test(written) ? formsOf(written) : []
  return forms.length === 0 ? undefined : { span, text: written, kind: 'address', forms }
}

/** Most words contain none of these and cannot be a name in any spelling. */
const mayName = /[@=%#_*!\\&+<([{\d\s-]|[a-z][A-Z]|[A-Z]{2}|\.at\.|[^\0-\x7f]/

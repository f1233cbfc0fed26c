import { parse } from 'tldts'
import { lettersOf, type Span } from '#lib/relay/quote/reading/reading'
import { unescapeOnce, unwrap } from '#lib/relay/reply/leak-gate/decode-nested'
import { findFolders } from '#lib/relay/reply/leak-gate/home-paths'

/**
 * A piece of a text that could name somebody to the relay: an address in any spelling, a digest, a code that holds an address, or
 * the folder of an account. `forms` are what it is recognised by, however it is escaped and whatever stands around it.
 */
export type Name = { span: Span; text: string; kind: 'address' | 'folder'; forms: string[] }

/** The names in a text, as whole words without the punctuation around them. */
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

/** The folder's path is part of what is searched for the person's own. */
const makeFolder = (text: string, [from, to]: Span): Name => ({
  span: [from, to],
  text: text.slice(Math.max(0, from - longestPath), to),
  kind: 'folder',
  forms: [`folder ${lettersOf(text.slice(from, to))}`],
})

const longestPath = 120

type Word = { word: string; from: number }

/** Words end at white space, quotes and the signs between the fields of files, links and lists; escapes may hold such a sign. */
const wordsOf = (text: string): Word[] =>
  Array.from(text.matchAll(wordPattern), ({ 0: word, index }) => trim({ word, from: index }))
    .flatMap(partsOfPath)
    .filter(({ word }) => /[\p{L}\p{N}@]|^\.$/u.test(word))

/** Without the punctuation around a word; brackets belong to it where they hold a sign in words. */
function trim({ word, from }: Word): Word {
  let [start, end] = [0, word.length]
  while (start < end && isAround(word, start, !/^[[(](?:at|dot|@|\.)[\])]/i.test(word.slice(start, start + 5)))) start++
  while (
    end > start &&
    isAround(word, end - 1, !/(?:\bat|\bdot|[@.])[\])]$/i.test(word.slice(Math.max(start, end - 5), end)))
  )
    end--
  return { word: word.slice(start, end), from: from + start }
}

/** Signs of escapes, an `@` and the `=` behind base64 are parts of a word. */
function isAround(word: string, at: number, areBrackets: boolean): boolean {
  const sign = word[at] as string
  if (/[[\]()]/.test(sign)) return areBrackets
  if (sign === '.') return word.length > 1 && at > 0
  return !/[\p{L}\p{N}\p{Cs}\p{Cf}\p{M}@%\\&=_;]/u.test(sign)
}

const wordPattern =
  /(?:&(?:amp;)*#?\w{1,24};|\\u\{[0-9a-f]{1,6}\}|(?<=\p{L})['\u2019](?=\p{L})|[^\s<>"'\u2018\u2019`,;:|{}?&\u2026])+/giu

/** A path is several words, unless it is a run of base64, in which the slash is a letter. */
function partsOfPath({ word, from }: Word): Word[] {
  if (!word.includes('/') || (word.match(longRun) ?? []).some(isDigestLike)) return [{ word, from }]
  return Array.from(word.matchAll(/[^/]+/g), (found) => ({ word: found[0], from: from + found.index }))
}

const isAt = /^(?:[[({]?(?:at|@)[\])}]?)$/i
const isDot = /^(?:[[({]?(?:dot|\.)[\])}]?)$/i
const mostWords = 12

/** "user at domain.example", "user @domain.example", "user@ domain dot example": its first and last word, by that with the sign. */
function findSpelledOut(words: Word[], at: number): Span | undefined {
  const word = (index: number): string => words[index]?.word ?? ''
  const sign = word(at)
  const isOpen = /[^@]@$/.test(sign)
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

/** Most words have none of these, and name nobody in any spelling. */
const mayName = /[@=%#_*!\\&\d\s-]|[a-z][A-Z]|[A-Z]{2}|\.at\.|[^\0-\x7f]/

/** What a name is recognised by; none for a word that names nobody. */
function formsOf(written: string): string[] {
  const unescaped = unescapeFully(written)
  const plain = plainly(unescaped)
  const forms = [...addressForms(plain), ...slugForms(plain), ...codeForms(unescaped, 0)]
  return forms.length === 0 ? [] : [...new Set([`whole ${lettersOf(plain)}`, ...forms])].slice(0, mostForms)
}

const mostForms = 24
const unescapings = 4

function unescapeFully(written: string): string {
  let plain = written.normalize('NFKC')
  for (let round = 0; round < unescapings && /[=%\\&+]/.test(plain); round++) {
    const next = unescapeOnce(plain).normalize('NFKC')
    if (next === plain) break
    plain = next
  }
  return plain
}

/** In small letters, without invisible characters and words for signs. */
const plainly = (text: string): string =>
  text
    .replace(/[\p{Default_Ignorable_Code_Point}\0]|\\(?=[^\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?[[({] ?(?:at|@) ?[\])}] ?| at | ?@ ?/gi, '@')
    .replace(/ ?[[({] ?(?:dot|\.) ?[\])}] ?| dot |[-_]dot[-_]| ?[.\u3002] ?/gi, '.')
    .toLowerCase()

/** `local@domain`, also without what may stand before the local part and behind the domain: `bounce+`, `.pdf`. */
function addressForms(plain: string, isNoise = false): string[] {
  const forms: string[] = []
  for (let at = plain.indexOf('@'); at !== -1; at = plain.indexOf('@', at + 1)) {
    domainPattern.lastIndex = at + 1
    const written = domainPattern.exec(plain)?.[0]
    const local = written === undefined ? '' : localBefore(plain, at)
    if (written === undefined || local === '') continue
    const domains = domainsIn(written).filter((one) => !isNoise || isTopLevel(one.slice(one.lastIndexOf('.') + 1)))
    const locals = [local, local.replace(/(?<=.)\+.*$/, ''), ...tailsOf(local)].slice(0, mostTails)
    for (const one of locals) for (const domain of domains) forms.push(`${lettersOf(one)}@${domain}`)
  }
  return forms
}

const domainPattern = /[\p{L}\p{N}][\p{L}\p{N}-]{0,62}(?:\.[\p{L}\p{N}-]{1,63}){0,8}/uy
const mostTails = 4
const longestLocal = 128

/** Step by step: an expression would look for a beginning from every letter. */
function localBefore(text: string, at: number): string {
  const end = text[at - 1] === '"' ? at - 1 : at
  let from = end
  while (
    from > 0 &&
    end - from < longestLocal &&
    /[\p{L}\p{N}._%+=~!#$*^&'\-\ud800-\udfff]/u.test(text[from - 1] as string)
  )
    from--
  return text.slice(from, end)
}

/** A letter, or a letter and a dot, before an address makes it another; every other sign does not. */
const tailsOf = (local: string): string[] =>
  Array.from(local.matchAll(/(?<!\p{L})(?<!\p{L}\d*\.)(?=[\p{L}\p{N}])/gu), ({ index }) => local.slice(index)).slice(1)

/** A domain up to its last label that ends domains, and without what may be the ending of a file's name. */
function domainsIn(written: string): string[] {
  const labels = written.split('.')
  const last = labels.findLastIndex((label, at) => at > 0 && isTopLevel(label))
  if (last === -1) return [written]
  const domains = [labels.slice(0, last + 1)]
  if (last > 1 && fileEndings.test(labels[last] as string)) domains.push(labels.slice(0, last))
  return domains.map((several) => several.join('.'))
}

const fileEndings = /^(?:zip|mov|md|py|sh|ai|ps|pl|rs|cc|app|cab)$/

/** `user_domain_example`, `user=domain.example`, `domain.example!user`: the letters up to the end of a domain. */
function slugForms(plain: string): string[] {
  const forms: string[] = []
  for (const [run] of plain.matchAll(/[\p{L}\p{N}._+=%#*!-]+/gu)) {
    if (!/[=%#*!_-]|\.at\./.test(run)) continue
    const words = run.slice(0, longestSlugs).match(/[\p{L}\p{N}]+/gu) ?? []
    for (const [at, word] of words.entries()) {
      if (at === 0 || !isTopLevel(word)) continue
      if (/[=!]/.test(run) && words[at + 1]) forms.push(`reversed ${words.slice(at - 1, at + 4).join('')}`)
      for (let from = Math.max(0, at - longestSlug); from <= at - 2; from++)
        forms.push(`slug ${words.slice(from, at + 1).join('')}`)
    }
  }
  return forms
}

const longestSlug = 5
const longestSlugs = 1000

function isTopLevel(word: string): boolean {
  if (reserved.has(word)) return true
  const known = topLevels.get(word)
  if (known !== undefined) return known
  if (topLevels.size > mostRemembered) topLevels.clear()
  const isListed =
    word.length >= 2 && /\D/.test(word) && parse(`a.${word}`, { extractHostname: false }).isIcann === true
  topLevels.set(word, isListed)
  return isListed
}

/** Names for tests and for networks of one's own (RFC 6761, RFC 6762) are in no list. */
const reserved = new Set(['example', 'test', 'invalid', 'local', 'internal', 'lan'])
const topLevels = new Map<string, boolean>()
const mostRemembered = 20_000

/** Digests, and runs of base64 or of hexadecimal digits that hold an address. */
function codeForms(text: string, depth: number): string[] {
  const digests = [...(text.match(/[0-9a-f]{32,}/gi) ?? []), ...(text.match(longRun) ?? []).filter(isDigestLike)].map(
    (run) => `code ${lettersOf(run)}`,
  )
  if (depth >= deepest || !mayBeCode(text)) return digests
  const inside = unwrap(text).flatMap((decoded) => [
    ...addressForms(plainly(decoded), true),
    ...(isPrintable(decoded) ? [...slugForms(plainly(decoded)), ...codeForms(decoded, depth + 1)] : []),
  ])
  return [...digests, ...inside]
}

const deepest = 3
/** The shortest address takes eight letters of base64; words of one case and without digits are none. */
const mayBeCode = (text: string): boolean => /[\w+/-]{8}/.test(text) && /\d|[a-z][A-Z]|[A-Z]{2}/.test(text)
const isPrintable = (text: string): boolean => text.length > 4 && !/[^ -~\s]/.test(text)
const longRun = /[\w+/-]{22,}/g

/** Base64 mixes capitals, small letters and digits; names in programs and paths seldom do. */
function isDigestLike(run: string): boolean {
  const [capitals, small] = [run.match(/[A-Z]/g)?.length ?? 0, run.match(/[a-z]/g)?.length ?? 0]
  return small >= 2 && capitals >= (/\d/.test(run) ? 2 : 5)
}

/** The addresses in any text or bytes, whatever stands around them: what a look into a file goes by. */
export const addressesIn = (text: string): string[] =>
  text.includes('@') ? addressForms(text.replace(/\0|\\(?=[\\@.])/g, '').toLowerCase(), true) : []

/** The form by which an address is recognised. */
export const formOfAddress = (address: string): string => addressForms(address.toLowerCase())[0] ?? ''

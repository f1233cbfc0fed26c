import type { NameWatch } from '#lib/relay/quote/names/name-watch'
import { type Budget, makeBudget } from '#lib/relay/reply/leak-gate/packed/inflate'
import { aroundLongRuns, unescapeOnce, unwrap } from './decode-nested.ts'
import { type HomePath, holdsHomePath, homePathsOf } from './home-paths.ts'
import { digestsOf, holdsDigest, namesOf } from './inbox-names.ts'
import { matchesSpelling, possibleSpellings, type Spelling, spellingsOf } from './spellings.ts'

const deepest = 3
const unescapings = 4

/**
 * Returns whether a text contains an address: plain, escaped, split into string literals, or in base64 or hexadecimal
 * digits.
 */
export function textLeaks(text: string, search: Search): boolean {
  let plain = withoutLongRuns(text)
  for (let round = 0; round < unescapings; round++) {
    if (matches(plain, search.spellings, search) || holdsHomePath(plain, search.homePaths)) return true
    const others = [withoutOddTags(plain), joinPieces(plain)]
    if (others.some((other) => other !== undefined && matchesSpelling(search.spellings, other))) return true
    if ([plain, ...others].some((view) => view !== undefined && search.names?.inBytes(view))) return true
    if (!escapable.test(plain)) break
    const next = unescapeOnce(plain).normalize('NFKC')
    if (next === plain) break
    plain = next
  }
  return unwrap(text).some((inside) => wrappedLeaks(inside, search, 1))
}

/**
 * Returns whether arbitrary bytes contain an address. Ignores the neighbouring bytes, because no separator divides
 * the columns in a database file.
 */
export function bytesLeak(bytes: Buffer, search: Search): boolean {
  const text = bytes.toString('latin1')
  return containsAddress(text, search) || wrappedLeaks(text, search, 0)
}

/** Returns whether a text contains an address in plain letters, whatever the neighbouring characters are. */
export function containsAddress(text: string, { plain, names }: Search): boolean {
  if (names?.inBytes(text)) return true
  const lower = text.replaceAll('\0', '').toLowerCase()
  return plain.some(({ address }) => lower.includes(address))
}

/** Returns whether the text of a file contains an address. An occurrence next to a letter is a different address. */
export function containsSeparateAddress(text: string, { plain }: Search): boolean {
  const lower = text.toLowerCase()
  return plain.some(({ address }) => {
    for (let at = lower.indexOf(address); at !== -1; at = lower.indexOf(address, at + 1)) {
      if (!/[a-z]/.test(lower[at - 1] ?? '') && !/[a-z]/.test(lower[at + address.length] ?? '')) return true
    }
    return false
  })
}

/**
 * Records the local parts and domains that occur in a file, and whether a formula joins cells with `@`. Returns
 * whether such a formula can produce an address.
 */
export function cellsLeak(text: string, { cells, plain }: Search): boolean {
  const lower = text.toLowerCase()
  cells.areJoined ||= formulaWithSign.test(lower)
  for (const word of plain.flatMap(({ local, domain }) => [local, domain]))
    if (lower.includes(word)) cells.words.add(word)
  return cells.areJoined && plain.some(({ local, domain }) => cells.words.has(local) && cells.words.has(domain))
}

const sign = `(?:"{1,2}|&quot;)@(?:"{1,2}|&quot;)`
const formulaWithSign = new RegExp(
  String.raw`&(?:amp;)?\s{0,8}${sign}\s{0,8}&|\bconcat(?:enate)?\([^()]{0,200}${sign}|\btextjoin\(\s{0,8}${sign}`,
)

function withoutLongRuns(text: string): string {
  const prose: string[] = []
  aroundLongRuns(text, (piece) => {
    prose.push(piece)
    return ''
  })
  return prose.join(' ')
}

/** A text without any of these characters contains no escapes. */
const escapable = /[=%\\&+\u0080-\uffff]/

/**
 * Joins string literals as formulas and scripts do (`"user"&"@"&"dom"`). Returns undefined if there are none to join.
 */
function joinPieces(text: string): string | undefined {
  const joined = text.replace(charByNumber, (_, code) => `"${String.fromCharCode(Number(code))}"`).replace(joint, '')
  return joined === text ? undefined : joined
}

const charByNumber = /\b(?:uni)?char(?:code)?\(\s?(\d{2,3})\s?\)/gi
const joint = /["']{1,2}\s{0,8}(?:&(?:amp;)?|\+|\.{1,2}|\|\||[,;])\s{0,8}["']{1,2}/g

/**
 * Returns whether decoded text contains an address. Decoded base64 is mostly random, so a pattern runs only if its
 * literal part occurs.
 */
function wrappedLeaks(text: string, search: Search, depth: number): boolean {
  const views = search.isInternational ? [text, Buffer.from(text, 'latin1').toString('utf8')] : [text]
  return (
    views.some(
      (view) => matches(view, possibleSpellings(search.spellings, view), search) || search.names?.inBytes(view),
    ) ||
    (depth < deepest && unwrap(text).some((inside) => inside !== '' && wrappedLeaks(inside, search, depth + 1)))
  )
}

const matches = (text: string, spellings: Spelling[], { digests }: Search): boolean =>
  matchesSpelling(spellings, text) || holdsDigest(text, digests)

/**
 * Returns a page without the comments and tags that contain `<` or `>` or are very long; undefined if there are none.
 * A pattern would search for an end from every `<`, which is slow. The scan stops at an unclosed comment or tag,
 * because browsers do not display the text after it.
 */
function withoutOddTags(html: string): string | undefined {
  const kept: string[] = []
  let from = 0
  for (let start = html.indexOf('<'); start !== -1; ) {
    const end = endOf(html, start)
    if (end === -1) break
    if (end - start > longest || holdsBracket(html, start + 1, end - 1)) {
      kept.push(html.slice(from, start))
      from = end
    }
    start = html.indexOf('<', end)
  }
  return from === 0 ? undefined : kept.join('') + html.slice(from)
}

const longest = 1000

function holdsBracket(html: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (html[at] === '<' || html[at] === '>') return true
  return false
}

/**
 * Returns the end of the comment, tag or character that begins with this `<`, as browsers parse it; -1 if it is
 * unclosed.
 */
function endOf(html: string, start: number): number {
  if (html.startsWith('<!--', start)) {
    commentEnd.lastIndex = start + 2
    return commentEnd.test(html) ? commentEnd.lastIndex : -1
  }
  return /^<\/?[a-z]/i.test(html.slice(start, start + 3)) ? endOfTag(html, start) : start + 1
}

const commentEnd = /--!?>/g

function endOfTag(html: string, start: number): number {
  tagMarks.lastIndex = start
  for (let found = tagMarks.exec(html); found; found = tagMarks.exec(html)) {
    if (found[0] === '>') return tagMarks.lastIndex
    // A quote that does not follow `=` is part of an attribute name.
    if (!/=\s*$/.test(html.slice(Math.max(start, found.index - 9), found.index))) continue
    const end = html.indexOf(found[0], tagMarks.lastIndex)
    if (end === -1) return -1
    tagMarks.lastIndex = end + 1
  }
  return -1
}

const tagMarks = /[>"']/g

/** The addresses that the leak gate searches for in one message, and its budget. */
export type Search = {
  /** Every address of the inboxes, unescaped and in lower case. */
  plain: { local: string; domain: string; address: string }[]
  spellings: Spelling[]
  homePaths: HomePath[]
  digests: string[]
  isInternational: boolean
  /**
   * The local parts and domains found in the cells of spreadsheets: a formula (`A1&"@"&B1`) can join two cells to an
   * address.
   */
  cells: { areJoined: boolean; words: Set<string> }
  /** Searches for the names that the app sent, which the gate treats like the person's own (relay §6). */
  names: NameWatch | undefined
  budget: Budget
}

export function makeSearch(addresses: string[], names?: NameWatch): Search {
  const inboxes = addresses.map(namesOf)
  const pairs = inboxes.flatMap(({ locals, domains }) =>
    locals.flatMap((local) => domains.map((domain) => ({ local, domain, address: `${local}@${domain}` }))),
  )
  const asGiven = addresses.map((one) => one.toLowerCase()).map((address) => splitAddress(address))
  return {
    plain: [...asGiven, ...pairs],
    spellings: spellingsOf(addresses),
    homePaths: homePathsOf(addresses),
    digests: addresses.flatMap(digestsOf),
    isInternational: /[^\0-\x7f]|xn--/i.test(addresses.join()),
    cells: { areJoined: false, words: new Set() },
    names,
    budget: makeBudget(),
  }
}

function splitAddress(address: string): Search['plain'][number] {
  const at = address.lastIndexOf('@')
  return { local: address.slice(0, at), domain: address.slice(at + 1), address }
}

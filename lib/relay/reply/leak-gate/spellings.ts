import { htmlEntities } from '#lib/relay/mime/html-entities'
import { anyCase } from './any-case.ts'
import { type InboxNames, isCommonName, namesOf } from './inbox-names.ts'

/**
 * A pattern for one form of an address. Every spelling that does not escape plain letters contains one of the
 * `literals`.
 */
export type Spelling = { pattern: RegExp; literals: string[]; form: SpellingForm }

/**
 * `address` is local part, sign, domain; `reversed` is domain, sign, local part; the sign is the `@` or its
 * substitute. `slug` is one word with the same separator for `@` and each dot.
 */
export type SpellingForm = 'address' | 'reversed' | 'slug'

/**
 * Returns patterns for every spelling of these addresses in a text: escaped letters (`%40`, `=40`, `&#64;`, `\u0040`,
 * `%u0040`, `\100`, also nested), `user=dom` and similar, the signs in words (`user at dom`, `user (at) dom (dot)
 * example`), with backslashes, tags, soft line breaks or invisible characters inside, with a +tag, under every domain
 * of the inbox; reversed as in SRS (`dom=user`), and in one word as in OneDrive (`user_dom_example`). The group
 * `sign` matches the `@` or its substitute. One pattern for all addresses would be twenty times slower.
 */
export function spellingsOf(addresses: string[]): Spelling[] {
  return [...new Map(addresses.flatMap(spellingsOfOne).map((one) => [one.pattern.source, one])).values()]
}

/** Returns whether a text contains an address in any spelling. */
export const matchesSpelling = (spellings: Spelling[], text: string): boolean =>
  spellings.some(({ pattern }) => text.search(pattern) !== -1)

function spellingsOfOne(address: string): Spelling[] {
  const names = namesOf(address)
  const literals = [...new Set(names.domains.map(longestWord))]
  // Longer local parts first: the one with a +tag is matched before the one without.
  const locals = names.locals.toSorted((a, b) => b.length - a.length)
  const make = (form: SpellingForm, pattern: RegExp): Spelling => ({ pattern, literals, form })
  return locals.flatMap((local) => [
    make('address', new RegExp(addressPattern(local, names), 'gu')),
    make('reversed', new RegExp(reversedPattern(local, names), 'giu')),
    ...names.domains.map((domain) => make('slug', new RegExp(slugPattern(local, domain), 'giu'))),
  ])
}

const longestWord = (domain: string): string =>
  (domain.match(/[a-z0-9]+/g) ?? ['']).reduce((best, word) => (word.length > best.length ? word : best))

/**
 * Returns a pattern for a text that matches each character plain or escaped, and `between` in each gap. `others` adds
 * alternatives for a character.
 */
const patternOfText = (text: string, between: string, others: Record<string, string> = {}): string =>
  Array.from(text, (char) =>
    others[char] ? `(?:${others[char]}|${patternOfCharacter(char)})` : patternOfCharacter(char),
  ).join(between)

/** Returns a pattern for one character in both cases: itself and every escape of it. */
function patternOfCharacter(char: string): string {
  const known = characterPatterns.get(char) ?? escapesOf(char)
  if (char <= '~') characterPatterns.set(char, known)
  return known
}

/** Cached, because addresses use few characters and each occurs in several patterns. */
const characterPatterns = new Map<string, string>()

function escapesOf(char: string): string {
  const cases = [...new Set([char, char.toLowerCase(), char.toUpperCase()])].filter((one) => [...one].length === 1)
  const codes = cases.map((one) => one.codePointAt(0) as number)
  const bytes = codes.filter((code) => code < 256)
  const inHex = (digits: number, some = codes): string => anyOf(some.map((code) => hex(code, digits)))
  const names = [...htmlEntities].flatMap(([name, one]) => (cases.includes(one) ? [name] : []))
  const percent = '[%=](?:25|3D)*'
  const forms = [
    ...cases.flatMap((one) => [one, one.normalize('NFD'), ...(lookalikes[one] ?? [])]).map(RegExp.escape),
    percent + anyOf(cases.map((one) => Array.from(Buffer.from(one), (byte) => hex(byte, 2)).join(percent))),
    `\\\\(?:u${inHex(4)}|u\\{0*${inHex(1)}\\}|${bytes.length ? `x${inHex(2, bytes)}|${anyOf(bytes.map(octal))}|` : ''}0{0,4}${inHex(2)}(?:[ \\t]|(?![0-9a-f])))`,
    `%(?:25)*u${inHex(4)}`,
    `&(?:amp;)*${anyOf([`#0*${anyOf(codes.map(String))}`, `#x0*${inHex(1)}`, ...names])};?`,
    ...(/[\w]/.test(char) || char > '~' ? [] : [`[+_*-]${hex(codes[0] as number, 2)}`]),
  ]
  return anyOf(forms.map(anyCase))
}

const anyOf = (patterns: string[]): string => {
  const different = [...new Set(patterns)]
  return different.length === 1 ? (different[0] as string) : `(?:${different.join('|')})`
}

/** Returns a pattern for a sign, plain or percent-encoded. */
const patternOfSign = (sign: string): string =>
  anyCase(`(?:${RegExp.escape(sign)}|[%=](?:25|3D)*${hex(sign.charCodeAt(0), 2)})`)

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
const octal = (code: number): string => code.toString(8).padStart(3, '0')

const lookalikes: Record<string, string[]> = { '.': ['\u3002', '\uff0e', '\uff61'], "'": ['\u2018', '\u2019'] }

// A line break, also after the hyphen of a divided word, and the quotation or comment marks of the next line.
const lineBreak = String.raw`-?\r?\n[>|\u2502\u2503#*/ \t]{0,80}`

/** Text that a mail program or gateway may insert between two adjacent letters; Markdown writes `\_`. */
const gap = String.raw`(?:=\r?\n|${lineBreak}|<[^<>]{0,1000}>|\\{1,4}(?=[^\\a-zA-Z0-9])|[\0\p{Default_Ignorable_Code_Point}]|&(?:amp;|AMP;)*(?:shy|zwnj|zwj|lrm|rlm|af|ApplyFunction|it|InvisibleTimes|ic|InvisibleComma|ZeroWidthSpace|NoBreak|Negative(?:VeryThin|Thin|Medium|Thick)Space|Tab|NewLine|#0*(?:9|10|13|173|847|820[3-7]|823[4-8]|828[89]|829[0-7]|65279)|${anyCase('#x0*(?:9|a|d|ad|34f|200[b-f]|202[a-e]|206[0-9]|feff)')});)*?`

// A letter, or a word and a dot, before a match makes it a different address, unless they end an escape (%7C) or a
// label.
const left = anyCase(
  String.raw`(?:(?<![a-z]|[a-z]\d{0,9}\\?\.)|(?<=[%=][0-9a-f]{2}|[*-]3d|\\[bfnrtv]|\\[0-3][0-7]{2}|[\\%]u[0-9a-f]{4}|imceasmtp-|&(?:lt|gt|quot|amp|nbsp)|(?<![a-z])(?:e-?mail|mailto|address|from|to)))`,
)
// A lower-case letter after a match makes it a different address. A capital does not: texts are often joined without a
// space ("…@example.orgSent from my phone").
const noLowerCase = '(?![a-z])'

function addressPattern(local: string, names: InboxNames): string {
  const tag = String.raw`(?:${patternOfCharacter('+')}[\p{L}\p{N}._+=%\\-]{1,64}?${gap})?`
  return `${left}${patternOfLocal(local, names)}${gap}${tag}(?<sign>${signs})${gap}${patternOfDomains(names)}${noLowerCase}`
}

/** Forwarders that rewrite senders write `SRS0=hash=tt=dom=user`, UUCP wrote `dom!user`. */
const reversedPattern = (local: string, names: InboxNames): string =>
  `(?<![a-z0-9-])${patternOfDomains(names)}${gap}(?<sign>${patternOfSign('=')}|${patternOfSign('!')})${gap}${patternOfLocal(local, names)}(?![a-z0-9])`

const patternOfLocal = (local: string, { ignored }: InboxNames): string => {
  const skipped = ignored.length ? `${gap}(?:(?:${ignored.map(patternOfCharacter).join('|')})${gap})?` : gap
  return patternOfText(local, skipped, { '.': dotInWords })
}

const patternOfDomains = ({ domains }: InboxNames): string =>
  `(?:${domains.map((domain) => patternOfText(domain, gap, { '.': dotInWords })).join('|')})`

/**
 * Matches an address written as one word, as in personal sites of SharePoint and OneDrive
 * (`/personal/user_dom_example/`), file names and account names: the same separator replaces the `@` and each dot.
 * Unless the local part is a common word such as `info`, the dots may remain, and another word may precede the
 * address.
 */
function slugPattern(local: string, domain: string): string {
  const separator = '[_-]|%(?:25)*(?:5f|2d)'
  const later = String.raw`\k<sign>`
  const before = isCommonName(local) ? '(?<![a-z0-9][_-]?)' : '(?<![a-z])|(?<=%(?:5f|2d|2f))'
  const dots = isCommonName(local) ? later : String.raw`(?:${later}|\.)`
  const labels = domain.split('.').map(RegExp.escape)
  const words = local.split(/[^\p{L}\p{N}_-]/u).map((word) => patternOfSlugWord(word))
  const name = words.join(`(?:${separator}|\\.)`)
  return `(?:${before})${name}(?<sign>${separator})(?:at${later})?${labels.join(dots)}(?![a-z0-9])`
}

const patternOfSlugWord = (word: string): string =>
  Array.from(word, (char) => (/[_-]/.test(char) ? patternOfSign(char) : RegExp.escape(char))).join('')

// Has few alternatives, because the adjacent gap can match the same line breaks and each overlap multiplies the
// attempts.
const blank = anyCase(
  String.raw`(?:\r?\n[>| \t]{0,80}|[^\S\r\n]|&(?:amp;)*(?:nbsp|ensp|emsp|thinsp|#0*(?:32|160)|#x0*(?:20|a0));?|[%=](?:20|(?:c2[%=])?a0))`,
)
const blanks = `${blank}{0,4}`
/**
 * Matches `[at]`, `(at)`, or `at` between spaces. The alternatives share the spaces around them; otherwise matching
 * would try every split of the spaces.
 */
const written = (word: string, signs: string): string =>
  String.raw`${blanks}(?:${signs}|[\[({<]${blanks}(?:${signs}|${word})${blanks}[\])}>]|(?<=[\s;02])${word}(?=${blank}))${blanks}`

const dotInWords = `(?:${written(anyCase('dot'), String.raw`\.`)}|${anyCase('[-_]dot[-_]')})`

/**
 * The signs that replace `@`: VERP and bounce addresses use `=`, guest accounts of directories use `_`, old routes
 * use `%` and `#`; people write [at] and add spaces. A quotation mark can precede the sign, because a local part can
 * be quoted (RFC 5322 §3.4.1).
 */
const signs = [
  `${anyCase(`(?:["']|&(?:amp;)*quot;)?`)}${written(anyCase('at'), patternOfCharacter('@'))}`,
  patternOfCharacter('='),
  anyCase(String.raw`[\uff20\ufe6b%#_*]|\\40|\+AEA-|[-_.+]at[-_.+]`),
].join('|')

/**
 * Returns the spellings whose literal occurs in a text, because matching the patterns against binary data is slow.
 */
export function possibleSpellings(spellings: Spelling[], text: string): Spelling[] {
  const plain = text.replaceAll('\0', '').toLowerCase()
  return spellings.filter(({ literals }) => literals.some((literal) => plain.includes(literal)))
}

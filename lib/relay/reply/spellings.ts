import { domainToASCII, domainToUnicode } from 'node:url'
import { htmlEntities } from '../mime/html-entities.ts'

/** How one address can be spelled; `literal` stands in every spelling that does not escape plain letters. */
export type Spelling = { pattern: RegExp; literal: string }

/**
 * Every spelling of these addresses in a text: any letters escaped (`%40`, `=40`, `&#64;`, `\u0040`, `%u0040`, `\100`, twice
 * over), `user=dom` and its like, the signs in words (`user at dom`, `user (at) dom (dot) example`), with backslashes, tags,
 * soft line breaks or invisible characters inside, with a +tag, in both forms of an international domain. A pattern's group
 * `sign` is what stood for the `@`. One pattern for all would be twenty times slower.
 */
export function spellingsOf(addresses: string[]): Spelling[] {
  const wanted = addresses.flatMap(variants).toSorted((a, b) => b.length - a.length)
  return [...new Set(wanted)].map((address) => ({
    pattern: new RegExp(patternOf(address), 'giu'),
    literal: longest(address.slice(address.lastIndexOf('@')).match(/[a-z0-9]+/g) ?? ['']),
  }))
}

/** Whether an address is spelled out in a text. */
export const isSpelled = (spellings: Spelling[], text: string): boolean =>
  spellings.some(({ pattern }) => text.search(pattern) !== -1)

const longest = (words: string[]): string => words.reduce((best, word) => (word.length > best.length ? word : best))

/** The same inbox under its other names: without the +tag, the international domain, Gmail's two domains. */
function variants(address: string): string[] {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at).normalize('NFC').toLowerCase(), address.slice(at + 1).toLowerCase()]
  const locals = [local, local.replace(/(?<=.)\+.*$/s, '')]
  const domains = [domain, domainToASCII(domain), domainToUnicode(domain)]
  if (gmail.includes(domain)) domains.push(...gmail)
  return domains
    .filter((one) => one !== '')
    .flatMap((one) =>
      locals.map((name) => `${gmail.includes(one) ? name.replaceAll('.', '') : name}@${one.normalize('NFC')}`),
    )
}

const gmail = ['gmail.com', 'googlemail.com']

/** What a mail program or a gateway can put between two letters that are shown side by side: Markdown writes `\_`. */
const gap = String.raw`(?:=\r?\n|\r?\n[> \t]*|<[^<>]{0,1000}>|\\{1,4}(?=[^\\a-z0-9])|[\0\p{Default_Ignorable_Code_Point}]|&(?:amp;)*(?:shy|zwnj|zwj|ZeroWidthSpace|NoBreak|#0*(?:173|820[3-7]|8288|65279)|#x0*(?:ad|200[b-f]|2060|feff));)*?`

// A letter before it makes it somebody else's address, unless that letter ends an escape such as %7C.
const left = String.raw`(?:(?<![a-z0-9]|[a-z0-9]\\?[._-])|(?<=[%=][0-9a-f]{2}|[*-]3d|\\[nrt]|\\[0-3][0-7]{2}|[\\%]u[0-9a-f]{4}|imceasmtp-|&(?:lt|gt|quot|amp|nbsp)))`
// A capital does not: texts are often glued together ("…@example.orgSent from my phone").
const right = '(?-i:(?![a-z0-9]))'

function patternOf(address: string): string {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  const between = gmail.includes(domain) ? `${gap}(?:${spell('.')}${gap})?` : gap
  const tag = String.raw`(?:${spell('+')}[\p{L}\p{N}._+=%\\-]{1,64}?${gap})?`
  return `${left}${spellAll(local, between)}${gap}${tag}(?<sign>${signs})${gap}${spellAll(domain, gap)}${right}`
}

const spellAll = (text: string, between: string): string => Array.from(text, spell).join(between)

/** One character, in itself and in every escape, in both cases. */
function spell(char: string): string {
  const cases = [...new Set([char, char.toLowerCase(), char.toUpperCase()])].filter((one) => [...one].length === 1)
  const codes = cases.map((one) => one.codePointAt(0) as number)
  const names = [...htmlEntities].flatMap(([name, one]) => (cases.includes(one) ? [name] : []))
  const forms = [
    ...cases.flatMap((one) => [one, one.normalize('NFD'), ...(lookalikes[one] ?? [])]).map(RegExp.escape),
    ...(char === '.' ? [dotInWords] : []),
    ...cases.map((one) => [...Buffer.from(one)].map((byte) => `[%=](?:25|3D)*${hex(byte, 2)}`).join('')),
    `\\\\(?:${codes.map((code) => `u${hex(code, 4)}|u\\{0*${hex(code, 1)}\\}${code < 256 ? `|x${hex(code, 2)}|${octal(code)}` : ''}`).join('|')})`,
    `%(?:25)*u(?:${codes.map((code) => hex(code, 4)).join('|')})`,
    `&(?:amp;)*(?:#0*(?:${codes.join('|')})|#x0*(?:${codes.map((code) => hex(code, 1)).join('|')})${names.map((name) => `|${name}`).join('')});?`,
    ...(/[\w]/.test(char) || char > '~' ? [] : [`[+_*-]${hex(codes[0] as number, 2)}`]),
  ]
  return `(?:${[...new Set(forms)].join('|')})`
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
const octal = (code: number): string => code.toString(8).padStart(3, '0')

const lookalikes: Record<string, string[]> = { '.': ['\u3002', '\uff0e', '\uff61'], "'": ['\u2018', '\u2019'] }

// Few, because the gap beside them can take the same line breaks.
const blank = String.raw`(?:\r?\n[> \t]{0,80}|[^\S\r\n]|&(?:amp;)*(?:nbsp|ensp|emsp|thinsp|#0*(?:32|160)|#x0*(?:20|a0));?|[%=](?:20|(?:c2[%=])?a0))`
const blanks = `${blank}{0,4}`
/** `[at]`, `(at)` or `at` between blanks. All share the blanks around, or every way to take them would be tried for each. */
const written = (word: string, signs: string): string =>
  String.raw`${blanks}(?:${signs}|[\[({<]${blanks}(?:${signs}|${word})${blanks}[\])}>]|(?<=[\s;02])${word}(?=${blank}))${blanks}`

const dotInWords = `(?:${written('dot', String.raw`\.`)}|[-_]dot[-_])`

/**
 * VERP and bounce addresses write `=`, guests of a directory `_`, percent and hash routes exist, people write [at] and set
 * blanks around it; a local part can stand in quotes (RFC 5322 §3.4.1).
 */
const signs = [
  `(?:["']|&(?:amp;)*quot;)?${written('at', spell('@'))}`,
  spell('='),
  String.raw`[\uff20\ufe6b%#_]|\+AEA-|[-_.+]at[-_.+]`,
].join('|')

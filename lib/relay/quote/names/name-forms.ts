import { parse } from 'tldts'
import { lettersOf } from '#lib/relay/quote/reading/reading'
import { unescapeOnce, unwrap } from '#lib/relay/reply/leak-gate/decode-nested'

/** Returns the forms of a name (see Name in find-names.ts); none if the word is not a name. */
export function formsOf(written: string): string[] {
  // The word is also read with its escapes: in `a1=b2.example` the `=b2` is no escape.
  const views = [...new Set([unescapeFully(written), written.normalize('NFKC')])]
  const plain = views.map(plainly)
  const forms = [
    ...plain.flatMap((one) => [...addressForms(one), ...slugForms(one)]),
    ...views.flatMap((one) => codeForms(one, 0)),
  ]
  return forms.length === 0
    ? []
    : [...new Set([`whole ${lettersOf(plain[0] as string)}`, ...forms])].slice(0, mostForms)
}

const mostForms = 24
const unescapings = 4

/** Returns a word with its escapes undone, including nested ones. */
export function unescapeFully(written: string): string {
  let plain = written.normalize('NFKC')
  for (let round = 0; round < unescapings && /[=%\\&+]/.test(plain); round++) {
    const next = unescapeOnce(plain).normalize('NFKC')
    if (next === plain) break
    plain = next
  }
  return plain
}

/** Returns a text in lower case, without invisible characters, and with the words "at" and "dot" as signs. */
const plainly = (text: string): string =>
  text
    .replace(/[\p{Default_Ignorable_Code_Point}\0]|\\(?=[^\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/\\40 ?/g, '@')
    .replace(/ ?[[({<] ?(?:at|@) ?[\])}>] ?| at | ?@ ?/gi, '@')
    .replace(/ ?[[({<] ?(?:dot|\.) ?[\])}>] ?| dot |[-_]dot[-_]| ?[.\u3002] ?/gi, '.')
    .replace(/<[^<>]*>/g, '')
    .toLowerCase()

/**
 * Returns the form of each `local@domain` in a text. Adds forms without text that may precede the local part
 * (`bounce+`) or follow the domain (`.pdf`).
 */
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

/** Scans backwards, because a regular expression would try every letter as a beginning. */
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

/**
 * Returns the endings of a local part that may be local parts themselves. A letter, or a letter and a dot, before an
 * ending makes it a different address; any other sign does not.
 */
const tailsOf = (local: string): string[] =>
  Array.from(local.matchAll(/(?<!\p{L})(?<!\p{L}\d*\.)(?=[\p{L}\p{N}])/gu), ({ index }) => local.slice(index)).slice(1)

/** Returns a domain up to its last top-level label, also without a label that may be a file extension. */
function domainsIn(written: string): string[] {
  const labels = written.split('.')
  const last = labels.findLastIndex((label, at) => at > 0 && isTopLevel(label))
  if (last === -1) return [written]
  const domains = [labels.slice(0, last + 1)]
  if (last > 1 && fileEndings.test(labels[last] as string)) domains.push(labels.slice(0, last))
  return domains.map((several) => several.join('.'))
}

const fileEndings = /^(?:zip|mov|md|py|sh|ai|ps|pl|rs|cc|app|cab)$/

/**
 * Returns the forms of `user_domain_example`, `user=domain.example` and `domain.example!user`: the letters up to the
 * end of a domain.
 */
function slugForms(plain: string): string[] {
  const forms: string[] = []
  for (const [run] of plain.matchAll(/[\p{L}\p{N}._+=%#*!-]+/gu)) {
    if (!/[=%#*!_-]|\.at\.|\+(?:at\+|40)/.test(run)) continue
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

/** Names for tests and private networks (RFC 6761, RFC 6762), which the Public Suffix List lacks. */
const reserved = new Set(['example', 'test', 'invalid', 'local', 'internal', 'lan'])
const topLevels = new Map<string, boolean>()
const mostRemembered = 20_000

/**
 * Returns a form for each digest in a text, and the forms of the addresses and names that its base64 and hexadecimal
 * runs encode.
 */
function codeForms(text: string, depth: number): string[] {
  const digests = [...(text.match(/[0-9a-f]{32,}/gi) ?? []), ...(text.match(longRun) ?? []).filter(isDigestLike)].map(
    (run) => `code ${lettersOf(run)}`,
  )
  if (depth >= deepest || !mayBeCode(text)) return digests
  const inside = unwrap(text)
    .flatMap(withUtf8)
    .flatMap((decoded) => [
      ...addressForms(plainly(decoded), true),
      ...(isPrintable(decoded) ? [...slugForms(plainly(decoded)), ...codeForms(decoded, depth + 1)] : []),
    ])
  return [...digests, ...inside]
}

const deepest = 3
/** The shortest address takes eight characters of base64. A word in one case without digits is not base64. */
const mayBeCode = (text: string): boolean => /[\w+/-]{8}|\\[0-7]{2}/.test(text) && /\d|[a-z][A-Z]|[A-Z]{2}/.test(text)
/** Returns decoded bytes as latin1 and as UTF-8. */
const withUtf8 = (text: string): string[] =>
  /[^\0-\x7f]/.test(text) ? [text, Buffer.from(text, 'latin1').toString('utf8')] : [text]
const isPrintable = (text: string): boolean => text.length > 4 && !/[^ -~\s\p{L}]/u.test(text)
export const longRun = /[\w+/-]{22,}/g

/**
 * Returns whether a run looks like base64, which mixes capitals, small letters and digits. Identifiers and paths
 * seldom do.
 */
export function isDigestLike(run: string): boolean {
  const [capitals, small] = [run.match(/[A-Z]/g)?.length ?? 0, run.match(/[a-z]/g)?.length ?? 0]
  return small >= 2 && capitals >= (/\d/.test(run) ? 2 : 5)
}

/** Returns the forms of the addresses in arbitrary text or bytes, whatever the neighbouring characters are. */
export const addressesIn = (text: string): string[] =>
  text.includes('@') ? addressForms(text.replace(/\0|\\(?=[\\@.])/g, '').toLowerCase(), true) : []

/** Returns the form of an address. */
export const formOfAddress = (address: string): string => addressForms(address.toLowerCase())[0] ?? ''

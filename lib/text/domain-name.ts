import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { skeletonOf } from './look-alike.ts'

/** The reason why a text is not a domain that a team can own. */
export type DomainProblem = 'missing' | 'malformed' | 'suffix'

/**
 * Reads a domain as a person types it: returns it in A-labels (RFC 5890) and lower case, as DNS has it. Refuses addresses,
 * wildcards, IP addresses and names of one label. Refuses public suffixes such as `co.uk` too, below which anyone can
 * register names (publicsuffix.org); `ofHosts` adds the suffixes of hosting services, such as `github.io`.
 */
export function readDomain(typed: string, { ofHosts }: { ofHosts: boolean }): Domain | { problem: DomainProblem } {
  const bare = typed.trim().replace(/\.$/, '')
  if (bare === '') return { problem: 'missing' }
  // domainToASCII decodes percent-encoding, and removes line breaks and paths.
  const domain = bare.length > 1000 || /[\s%/\\?#]/.test(bare) ? '' : domainToASCII(bare)
  if (!isHostName(domain)) return { problem: 'malformed' }
  // The list has internationalized suffixes in Unicode.
  const name = domainToUnicode(domain)
  return parse(name, { allowPrivateDomains: ofHosts }).domain === null ? { problem: 'suffix' } : { domain }
}

type Domain = { domain: string }

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Leaves room for the label of a proof record; the last label of an IPv4 address is a number. */
function isHostName(name: string): boolean {
  const labels = name.split('.')
  const fits = name.length <= 253 - '_postern-team.'.length
  return fits && labels.length > 1 && labels.every((one) => label.test(one)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

/**
 * Returns the Unicode form of a domain in A-labels, unless it could deceive: a label mixes scripts, or looks like one of
 * Latin letters (Unicode TS #39). Returns undefined for a domain without another form.
 */
export function readableDomain(domain: string): string | undefined {
  const unicode = domainToUnicode(domain)
  return unicode === '' || unicode === domain || unicode.split('.').some(deceives) ? undefined : unicode
}

/** Scripts that are written together (Unicode TS #39, "highly restrictive"). */
const together = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

const scriptNames =
  `Latin Greek Cyrillic Armenian Hebrew Arabic Devanagari Bengali Thai Georgian Ethiopic Khmer Han Hiragana
  Katakana Bopomofo Hangul Tamil Telugu`.split(/\s+/)
const scripts = scriptNames.map((name) => ({ name, has: new RegExp(`\\p{Script_Extensions=${name}}`, 'u') }))

function deceives(text: string): boolean {
  const letters = [...text].filter((character) => /\p{L}/u.test(character))
  const isIn = (character: string, names: readonly string[]) =>
    scripts.some(({ name, has }) => names.includes(name) && has.test(character))
  const groups = [...together, ...scriptNames.map((name) => [name])]
  const isOneScript = groups.some((names) => letters.every((character) => isIn(character, names)))
  const isAscii = /^[\x20-\x7e]*$/.test(text)
  // A word of Cyrillic letters only can look like a Latin one.
  return !isOneScript || (!isAscii && /^[a-z0-9]*$/.test(skeletonOf(text)) && !/\p{Script=Latin}/u.test(text))
}

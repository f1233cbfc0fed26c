import { domainToASCII } from 'node:url'
import { getDomain } from 'tldts'
import { decodeWords } from './header-fields.ts'

/**
 * Parses the mailboxes of a From or Reply-To value (RFC 5322 §3.4, bytes as latin1) and decodes their names.
 * Undefined when the value is ambiguous (groups, routes, two addresses in one mailbox), because then the author is
 * unknown.
 */
export function parseMailboxes(value: string): Mailbox[] | undefined {
  const text = fromUtf8(value)
  const mailboxes: Mailbox[] = []
  for (const tokens of splitAtCommas(tokenize(text))) {
    if (tokens === undefined) return undefined
    if (tokens.every(({ kind }) => kind === 'comment' || kind === 'space')) continue
    const mailbox = readMailbox(tokens)
    if (!mailbox) return undefined
    mailboxes.push(mailbox)
  }
  return mailboxes
}

function readMailbox(tokens: Token[]): Mailbox | undefined {
  const angles = tokens.filter(({ kind }) => kind === 'angle')
  if (angles.length > 1 || (angles.length === 1 && tokens.findLast(isVisible)?.kind !== 'angle')) return undefined
  const phrase = tokens.filter(({ kind }) => kind === 'word' || kind === 'quoted' || kind === 'space')
  const comments = tokens.filter(({ kind }) => kind === 'comment')
  const address = angles[0]?.text.trim() ?? sourceOf(phrase).trim()
  if (!isAddress(address)) return undefined
  return { address, name: nameOfPhrase(angles.length ? phrase : comments) }
}

const isVisible = ({ kind }: Token) => kind !== 'space' && kind !== 'comment'

const sourceOf = (tokens: Token[]) => tokens.map(({ source }) => source).join('')

/**
 * Returns the display name, or an empty one if its character set is unknown, because two programs could decode it
 * differently.
 */
function nameOfPhrase(tokens: Token[]): string {
  const bytes = Buffer.from(tokens.map(({ text }) => text).join(''))
  return (decodeWords(bytes.toString('latin1')) ?? '').replace(/\s+/g, ' ').trim()
}

/** Rejects angle brackets inside quotes: the SMTP client library does not send such paths. */
function isAddress(text: string): boolean {
  if (text.length > 254) return false
  const [, domain = ''] =
    /^(?:[^\s"(),:;<>@[\]\\\p{Cc}]+|"(?:[^"\\<>\p{Cc}]|\\[^<>\p{Cc}])*")@([^@]+)$/u.exec(text) ?? []
  return /^[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*$/u.test(domain)
}

/** Yields the tokens of a mailbox list; yields undefined at a character that is not allowed there, and ends. */
function* tokenize(text: string): Generator<Token | undefined> {
  let at = 0
  while (at < text.length) {
    const token = comment(text, at) ?? simpleToken(text, at)
    yield token
    at += token?.source.length ?? text.length
  }
}

function simpleToken(text: string, at: number): Token | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    const [source, inner] = pattern.exec(text) ?? []
    if (source !== undefined)
      return { kind, source, text: kind === 'quoted' ? unquoted(inner ?? '') : (inner ?? source) }
  }
  return undefined
}

const patterns: [Token['kind'], RegExp][] = [
  ['comma', /,/y],
  ['space', /\s+/y],
  ['quoted', /"((?:[^"\\]|\\.)*)"/suy],
  ['angle', /<((?:[^<>"\\]|"(?:[^"\\]|\\.)*")*)>/suy],
  ['word', /[^\s,:;<>"()\\]+/y],
]

const unquoted = (inner: string) => inner.replace(/\\(.)/gsu, '$1')

/** Comments may be nested. */
function comment(text: string, start: number): Token | undefined {
  if (text[start] !== '(') return undefined
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) {
      return { kind: 'comment', source: text.slice(start, at + 1), text: unquoted(text.slice(start + 1, at)) }
    }
  }
  return undefined
}

function* splitAtCommas(tokens: Iterable<Token | undefined>): Generator<Token[] | undefined> {
  let mailbox: Token[] = []
  for (const token of tokens) {
    if (token === undefined) yield undefined
    else if (token.kind !== 'comma') mailbox.push(token)
    else {
      yield mailbox
      mailbox = []
    }
  }
  yield mailbox
}

/**
 * Decodes header bytes as UTF-8. Returns invalid UTF-8 as latin1, because older programs write other character sets
 * without a label.
 */
function fromUtf8(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return latin1
  }
}

type Token = { kind: 'word' | 'quoted' | 'angle' | 'comment' | 'comma' | 'space'; source: string; text: string }

export type Mailbox = { address: string; name: string }

/** Compares case-insensitively: no two accounts have addresses that differ in case only. */
export const isSameAddress = (one: string, other: string): boolean => folded(one) === folded(other)

function folded(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`.toLowerCase()
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

export const asciiOf = (domain: string): string => domainToASCII(domain) || domain.toLowerCase()

/**
 * Returns the organizational domain by the Public Suffix List, private suffixes included (RFC 7489 §3.2);
 * docs/decisions gives the reason against the DNS tree walk of RFC 9989. Returns a public suffix itself unchanged.
 */
export function organizationOf(domain: string): string {
  const ascii = asciiOf(domain)
  return getDomain(ascii, { allowPrivateDomains: true }) ?? ascii
}

import { encodeWords, fieldValue, type HeaderField, makeField } from '#lib/relay/mime/header-fields'
import type { Mailbox } from '#lib/relay/mime/mailboxes'
import { type MapMessageId, mapReferences } from '#lib/relay/threads/threads'

/**
 * Returns the header block of a forwarded message (relay §5): From becomes the reverse address of the sender, To the
 * alias, and every field that would make a mail program answer past the relay is removed.
 */
export function rewriteForward(fields: HeaderField[], about: Forward): HeaderField[] {
  const parties = makeParties(about)
  const kept = onlyFirst(
    withMessageId(
      fields.filter((field) => !isStripped(field, about.authority)),
      about.messageId,
    ),
  ).flatMap((field) => (field.name === 'from' ? parties : (rewriteOne(field, about) ?? [])))
  return [about.received, about.loopMark, makeField('X-Auto-Response-Suppress', 'All'), ...withoutLonePost(kept)]
}

/** Replaces or adds the Message-ID; an unchanged one keeps its exact bytes. */
function withMessageId(fields: HeaderField[], messageId: string | undefined): HeaderField[] {
  const own = fields.find(({ name }) => name === 'message-id')
  if (messageId === undefined || (own && fieldValue(own) === messageId)) return fields
  return [...fields.filter(({ name }) => name !== 'message-id'), makeField('Message-ID', messageId)]
}

function makeParties({ from, appName, reverse, alias }: Forward): HeaderField[] {
  const name = forwardName(from, appName)
  return [
    makeField('From', `${name}\r\n <${reverse}>`),
    makeField('Reply-To', `<${reverse}>`),
    makeField('To', `<${alias}>`),
  ]
}

function rewriteOne(field: HeaderField, { mapMessageId }: Forward): HeaderField | undefined {
  return isLinkField(field) ? keepHttpsLinks(field) : mapReferences(field, mapMessageId)
}

/**
 * Returns whether a field is removed. Also true for a line that is no header field, because some programs would end
 * the header block there.
 */
function isStripped(field: HeaderField, authority: string): boolean {
  const { name } = field
  return (
    name === '' ||
    stripped.has(name) ||
    strippedNames.test(name) ||
    strippedFamilies.some((start) => name.startsWith(start)) ||
    (name === 'authentication-results' && bearsId(field, authority))
  )
}

const stripped = new Set([
  // Other recipients and other ways to reply, such as newsgroups and the sender's complaint address.
  ...['cc', 'bcc', 'sender', 'newsgroups', 'cfbl-address', 'x-report-abuse'],
  // Trace fields of earlier hops.
  ...['return-path', 'original-recipient', 'originator-return-address'],
  // Signatures over the old header block, which no longer verify.
  ...['dkim-signature', 'domainkey-signature', 'arc-seal', 'arc-message-signature', 'arc-authentication-results'],
  // Requests for receipts, which a mail program would send from the real address (Pegasus Mail, MMDF, X.400).
  ...['x-pmrqc', 'pmrqc', 'generate-delivery-report', 'registered-mail-reply-requested-by'],
  // Replaced by the relay's own.
  'x-auto-response-suppress',
])

const strippedFamilies = [
  'resent-',
  // Keys of the sender: a mail program would encrypt to the app and sign with the person's own address.
  ...['autocrypt', 'openpgp', 'pgp-', 'x-pgp', 'x-gpg', 'x-openpgp'],
  // Delta Chat and similar programs answer these automatically.
  ...['chat-', 'secure-join'],
]

/**
 * Matches every To except In-Reply-To (Followup-To, Errors-To, Delivered-To …), and receipt requests of any program.
 */
const strippedNames = /^to$|(?<!^in-reply)-to$|receipt|(confirm|acknowledge)(-|$)|disposition-notification/

/** An Authentication-Results field with the relay's own authserv-id is forged (RFC 8601 §5). */
const bearsId = (field: HeaderField, authority: string) =>
  fieldValue(field).toLowerCase().includes(authority.toLowerCase())

/**
 * Keeps only the first field of each name that must occur once, because programs differ on which of two they show.
 */
function onlyFirst(fields: HeaderField[]): HeaderField[] {
  const seen = new Set<string>()
  return fields.filter(({ name }) => {
    if (!isSingle(name) || !seen.has(name)) return seen.add(name)
    return false
  })
}

const isSingle = (name: string) => single.has(name) || name.startsWith('content-') || name.startsWith('list-')

const single = new Set(['from', 'subject', 'date', 'message-id', 'in-reply-to', 'references', 'mime-version'])

/** One-click unsubscription needs the https link that it posts to (RFC 8058). */
function withoutLonePost(fields: HeaderField[]): HeaderField[] {
  const hasLink = fields.some(({ name }) => name === 'list-unsubscribe')
  return hasLink ? fields : fields.filter(({ name }) => name !== 'list-unsubscribe-post')
}

/** `reverse` and `alias` are whole addresses; `authority` is the relay's authserv-id in Authentication-Results. */
export type Forward = {
  from: Mailbox
  appName: string
  reverse: string
  alias: string
  authority: string
  received: HeaderField
  loopMark: HeaderField
  mapMessageId: MapMessageId
  /** The new Message-ID; undefined keeps the existing one. */
  messageId?: string | undefined
}

/**
 * Returns the display name of a forwarded message's sender: "Acme Billing (billing at acme.example)". It contains no
 * @, because mail programs treat an address in a name as a forgery. ASCII is quoted, other text becomes encoded words
 * (RFC 2047).
 */
export function forwardName(from: Mailbox, appName: string): string {
  const address = withoutAt(from.address)
  const name = cut(withoutAt(from.name) || withoutAt(appName))
  const shown = name === '' || name === address ? address : `${name} (${address})`
  return isPrintableAscii(shown) ? `"${shown.replace(/["\\]/g, '\\$&')}"` : encodeWords(shown)
}

const mostCharacters = 64

/** Replaces every form of @ by "at"; removes invisible characters and characters that change the text direction. */
const withoutAt = (text: string) =>
  text
    .toWellFormed()
    .replace(/[@\uff20\ufe6b]/g, ' at ')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

const cut = (text: string) => [...text].slice(0, mostCharacters).join('').trim()

const isPrintableAscii = (text: string) => /^[ -~]*$/.test(text)

/**
 * Returns a List- field (RFC 2369) with its https links only: a mailto link would make the person's mail program
 * write to the sender from the real address. Undefined when no link is left.
 */
export function keepHttpsLinks(field: HeaderField): HeaderField | undefined {
  const links = [...fieldValue(field).matchAll(/<([^<>]*)>/g)].map(([, link = '']) => link.replace(/\s/g, ''))
  const https = links.filter((link) => /^https:\/\/[!-~]+$/i.test(link) && link.length <= longest)
  if (https.length === 0) return undefined
  const title = field.raw.slice(0, field.raw.indexOf(':'))
  return { ...field, raw: `${title}: ${https.map((link) => `<${link}>`).join(',\r\n ')}` }
}

const isLinkField = ({ name }: HeaderField): boolean => linkFields.has(name)

const linkFields = new Set([
  'list-unsubscribe',
  'list-help',
  'list-subscribe',
  'list-post',
  'list-owner',
  'list-archive',
])

// A line of mail has at most 998 characters.
const longest = 900

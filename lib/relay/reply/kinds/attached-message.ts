import {
  decodeWords,
  encodeWords,
  fieldValue,
  type HeaderField,
  makeField,
  writeFields,
} from '#lib/relay/mime/header-fields'
import { parseMailboxes } from '#lib/relay/mime/mailboxes'
import { type MimePart, readMime } from '#lib/relay/mime/read-mime'
import type { OwnWords } from '#lib/relay/quote/own-words'
import { setAside } from '#lib/relay/quote/set-aside'
import { RefusedPart } from '#lib/relay/reply/reply-refusal'
import { judgedOf, type Written, type WrittenPart, writeMailbox } from '#lib/relay/reply/rewrite/write-part'

export type AttachedRules = {
  /** Hides the person's addresses. */
  hide(text: string): string
  /** Hides the person's addresses and the names that the app sent. Used for text without quotations. */
  hideNames(text: string): string
  /** Recognises the app's own text; undefined to recognise none. */
  own?: OwnWords | undefined
  /**
   * Maps a Message-ID of the person's mail program to the one that the app knows; undefined if the app knows none.
   */
  mapMessageId(id: string): string | undefined
}

/**
 * Rewrites an attached message. Keeps only the header fields on an allow-list, because others show the route to the
 * person's inbox.
 */
export function rewriteAttached(
  bytes: Buffer,
  rules: AttachedRules,
  rewrite: (root: MimePart) => WrittenPart,
): { whole: Buffer; judged: Buffer } {
  const root = readMime(withLineEnds(bytes), { isLenient: true })
  if (!root) throw new RefusedPart('unreadable')
  const body = rewrite(root)
  const several = root.fields.flatMap((field) => keepers.get(field.name)?.(field, rules) ?? [])
  const kept = several.filter(({ field }, at) => several.findIndex((one) => one.field.name === field.name) === at)
  const assemble = (fields: HeaderField[], { fields: ofBody, body: content }: Written) =>
    Buffer.concat([writeFields([...fields, makeField('MIME-Version', '1.0'), ...ofBody]), content])
  const judged = kept.flatMap(({ field, judged: other }) => (other === undefined ? [field] : other))
  return {
    whole: assemble(
      kept.map(({ field }) => field),
      body,
    ),
    judged: assemble(judged, judgedOf(body)),
  }
}

/**
 * Returns a message with CRLF line endings and without empty lines at its start: files on disk have the line endings
 * of their system, and mbox files begin with empty lines.
 */
function withLineEnds(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(/^\s+/, '')
  return Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1')
}

/** A rewritten field. `judged` is the version for the leak gate, without the app's own text. */
type Kept = { field: HeaderField; judged?: HeaderField[] }
type Keeper = (field: HeaderField, rules: AttachedRules) => Kept | undefined

const keepSubject: Keeper = (field, { hide, own }) => {
  const text = decodeWords(fieldValue(field))?.replace(/\p{Cc}+/gu, '')
  if (text === undefined) return undefined
  const { rest, putBack } = own ? own.inSubject(text) : setAside(text, [])
  const judged = hide(rest)
  const write = (subject: string) => makeField('Subject', encodeWords(subject.slice(0, 1000)))
  return { field: write(putBack(judged)), judged: [write(judged)] }
}

/** Writes the date in UTC: an offset would reveal the person's time zone if the person wrote the attached message. */
const keepDate: Keeper = (field) => {
  const date = new Date(fieldValue(field))
  return Number.isNaN(date.getTime())
    ? undefined
    : { field: makeField('Date', date.toUTCString().replace('GMT', '+0000')) }
}

const longest = 16_384

function mailboxes(name: string): Keeper {
  return (field, { hideNames, own }) => {
    if (field.raw.length > longest) return undefined
    const parsed = parseMailboxes(fieldValue(field))
    if (!parsed?.length) return undefined
    const write = (shown: (name: string) => string) =>
      makeField(name, parsed.map((one) => writeMailbox(shown(one.name), latin1(hideNames(one.address)))).join(',\r\n '))
    const isFromApp = (one: string) => own?.isSender(one) === true
    return {
      field: write((one) => (isFromApp(one) ? one : hideNames(one))),
      judged: [write((one) => (isFromApp(one) ? '' : hideNames(one)))],
    }
  }
}

/**
 * Returns the UTF-8 bytes of a text as one character per byte, the form in which header fields are stored. An
 * international address needs UTF-8 (RFC 6532).
 */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

function ids(name: string): Keeper {
  return (field, { mapMessageId }) => {
    const known = (fieldValue(field).match(/<[^<>\s]+>/g) ?? []).slice(-50).flatMap((id) => mapMessageId(id) ?? [])
    // The app knows these Message-IDs already, so the leak gate does not search them.
    return known.length ? { field: makeField(name, known.join('\r\n ')), judged: [] } : undefined
  }
}

const keepers = new Map<string, Keeper>([
  ...['From', 'To', 'Cc', 'Reply-To'].map((name) => [name.toLowerCase(), mailboxes(name)] as const),
  ...['Message-ID', 'In-Reply-To', 'References'].map((name) => [name.toLowerCase(), ids(name)] as const),
  ['subject', keepSubject],
  ['date', keepDate],
])

import { decodeWords, encodeWords, type HeaderField, makeField, writeFields } from '#lib/relay/mime/header-fields'
import { findValue, readMime } from '#lib/relay/mime/read-mime'
import type { SentFingerprints } from '#lib/relay/quote/known-text'
import { type OwnWords, recogniseWords } from '#lib/relay/quote/own-words'
import { setAside } from '#lib/relay/quote/set-aside'
import { makeHider } from '#lib/relay/reply/leak-gate/hide-addresses'
import { findLeak } from '#lib/relay/reply/leak-gate/leak-gate'
import { RefusedPart, type ReplyRefusal } from '#lib/relay/reply/reply-refusal'
import { rewriteTree } from './rewrite-part.ts'
import { judgedOf, type Written, type WrittenPart, writeMailbox } from './write-part.ts'

/** The relay's data about a reply. */
export type AboutReply = {
  /** The app's address for the person. */
  alias: string
  /** The display name that the person chose, if any. */
  displayName: string | undefined
  /** The app's address, to which the reverse address leads. */
  to: string
  /** The reverse address that the person wrote to. */
  reverse: string
  /** Every current and former address of the account. */
  hidden: string[]
  now: Date
  /** A new Message-ID at the relay's domain, in angle brackets. */
  messageId: string
  /** Fingerprints of the messages that the reply answers; undefined to recognise no text of the app. */
  sent?: SentFingerprints[] | undefined
  /** Maps a Message-ID of the person's mail program to the one that the app knows (both in angle brackets). */
  mapMessageId(id: string): string | undefined
}

export type RewrittenReply = { kind: 'rewritten'; message: Buffer } | { kind: 'refused'; reason: ReplyRefusal }

/** Rewrites a person's reply from an allow-list, then searches the result for the person's addresses (relay §6). */
export function rewriteReply(raw: Buffer, about: AboutReply): RewrittenReply {
  const root = readMime(raw, { isLenient: true })
  if (!root) return refused('unreadable')
  const subject = decodeWords(findValue(root.fields, 'subject') ?? '')?.replace(/\p{Cc}+/gu, '')
  if (subject === undefined) return refused('unreadable')
  const hide = makeHider(about.hidden, about.alias)
  const own = about.sent && recogniseWords(about.sent, { ...about, hide })
  const body = written(() => rewriteTree(root, { ...about, hide, hideNames: hideNames(hide, own), own, depth: 0 }))
  if (typeof body === 'string') return refused(body)
  const { rest, putBack } = own ? own.inSubject(subject) : setAside(subject, [])
  const judgedSubject = hide(rest)
  const head = ownFields(about, hide)
  const judged = judgedOf(body)
  // The app's own address, Message-IDs and text are not searched, whether or not they name the person (relay §6).
  const found = findLeak(
    assemble([...head, ...subjectField(judgedSubject), ...judged.fields], judged),
    about.hidden,
    own?.names,
  )
  if (found) return refused(found)
  const ofTheApp = [...subjectField(putBack(judgedSubject)), ...threadFields(root.fields, about)]
  return { kind: 'rewritten', message: assemble([toField(about.to), ...head, ...ofTheApp, ...body.fields], body) }
}

/**
 * Returns a function that hides the person's addresses and the names that the app sent. Used for text without
 * quotations.
 */
const hideNames = (hide: (text: string) => string, own: OwnWords | undefined) => (text: string) =>
  hide(own ? own.withoutNames(text) : text)

const refused = (reason: ReplyRefusal): RewrittenReply => ({ kind: 'refused', reason })

function written(write: () => WrittenPart): WrittenPart | ReplyRefusal {
  try {
    return write()
  } catch (fault) {
    if (fault instanceof RefusedPart) return fault.refusal
    throw fault
  }
}

const assemble = (fields: HeaderField[], { body }: Pick<Written, 'body'>): Buffer =>
  Buffer.concat([writeFields(fields), body])

/**
 * Returns the UTF-8 bytes of an international address (RFC 6532) as one character per byte. Delivery to such an
 * address needs SMTPUTF8 in any case.
 */
const toField = (to: string): HeaderField => makeField('To', Buffer.from(`<${to}>`).toString('latin1'))

function ownFields({ alias, displayName, now, messageId }: AboutReply, hide: (text: string) => string): HeaderField[] {
  return [
    makeField('From', writeMailbox(hide(displayName ?? ''), alias)),
    // The time zone would reveal the person's location.
    makeField('Date', now.toUTCString().replace('GMT', '+0000')),
    makeField('Message-ID', messageId),
    makeField('MIME-Version', '1.0'),
  ]
}

const subjectField = (subject: string): HeaderField[] =>
  subject === '' ? [] : [makeField('Subject', encodeWords(subject.slice(0, 1000)))]

function threadFields(fields: HeaderField[], about: AboutReply): HeaderField[] {
  return ['In-Reply-To', 'References'].flatMap((name) => mapIds(name, findValue(fields, name.toLowerCase()), about))
}

const mostReferences = 50

/** Keeps the Message-IDs that the app knows. Others belong to the person's own messages and contain host names. */
function mapIds(name: string, value: string | undefined, { mapMessageId }: AboutReply): HeaderField[] {
  const known = (value?.match(/<[^<>\s]+>/g) ?? []).slice(-mostReferences).flatMap((id) => mapMessageId(id) ?? [])
  return known.length ? [makeField(name, known.join('\r\n '))] : []
}

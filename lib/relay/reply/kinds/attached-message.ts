import { fieldValue, type HeaderField, makeField, writeFields } from '../../message/header-fields.ts'
import { parseMailboxes } from '../../message/mailbox.ts'
import { decodeWords, encodeWords } from '../../mime/encoded-words.ts'
import { type MimePart, readMime } from '../../mime/read-mime.ts'
import { RefusedPart } from '../reply-refusal.ts'
import { writeMailbox } from '../write-mailbox.ts'
import type { WrittenPart } from '../write-part.ts'

export type AttachedRules = {
  hide(text: string): string
  /** What the app calls a message that the person's program calls so; undefined for one it does not know. */
  mapMessageId(id: string): string | undefined
}

/** Returns an attached message written anew, as the reply is: the way it took to the person's inbox stands in its header block. */
export function rewriteAttached(bytes: Buffer, rules: AttachedRules, rewrite: (root: MimePart) => WrittenPart): Buffer {
  const root = readMime(withLineEnds(bytes), { isLenient: true })
  if (!root) throw new RefusedPart('unreadable')
  const body = rewrite(root)
  const kept = root.fields.flatMap((field) => keepers[field.name]?.(field, rules) ?? [])
  const once = kept.filter(({ name }, at) => kept.findIndex((one) => one.name === name) === at)
  return Buffer.concat([writeFields([...once, makeField('MIME-Version', '1.0'), ...body.fields]), body.body])
}

/** Files on disk have the line ends of their system, and mbox's empty lines before them. */
function withLineEnds(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(/^\s+/, '')
  return Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1')
}

type Keeper = (field: HeaderField, rules: AttachedRules) => HeaderField | undefined

const keepers: Record<string, Keeper> = {
  from: mailboxes('From'),
  to: mailboxes('To'),
  cc: mailboxes('Cc'),
  'reply-to': mailboxes('Reply-To'),
  subject: (field, { hide }) => {
    const text = decodeWords(fieldValue(field))?.replace(/\p{Cc}+/gu, '')
    return text === undefined ? undefined : makeField('Subject', encodeWords(hide(text).slice(0, 1000)))
  },
  // In UTC: the sender may be the person.
  date: (field) => {
    const date = new Date(fieldValue(field))
    return Number.isNaN(date.getTime()) ? undefined : makeField('Date', date.toUTCString().replace('GMT', '+0000'))
  },
  'message-id': ids('Message-ID'),
  'in-reply-to': ids('In-Reply-To'),
  references: ids('References'),
}

const longest = 16_384

function mailboxes(name: string): Keeper {
  return (field, { hide }) => {
    if (field.raw.length > longest) return undefined
    const parsed = parseMailboxes(fieldValue(field))
    if (!parsed?.length) return undefined
    const written = parsed.map((one) => writeMailbox(hide(one.name), latin1(hide(one.address))))
    return makeField(name, written.join(',\r\n '))
  }
}

/** An international address stands there in UTF-8 (RFC 6532). */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

function ids(name: string): Keeper {
  return (field, { mapMessageId }) => {
    const known = (fieldValue(field).match(/<[^<>\s]+>/g) ?? []).slice(-50).flatMap((id) => mapMessageId(id) ?? [])
    return known.length ? makeField(name, known.join('\r\n ')) : undefined
  }
}

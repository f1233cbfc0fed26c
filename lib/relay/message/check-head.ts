import { hmac } from '#lib/crypto/hash'
import { fieldValue, type HeaderField, makeField } from '#lib/relay/mime/header-fields'
import { type Mailbox, parseMailboxes } from '#lib/relay/mime/mailboxes'

/** Returns the author of a message, or the reason for its refusal (relay §4). */
export function checkHead(fields: HeaderField[], loopMark: HeaderField): HeadVerdict {
  if (fields.filter(({ name }) => name === 'received').length > mostHops || hasLoopMark(fields, loopMark)) {
    return { kind: 'loop' }
  }
  const [author, ...others] = fields.filter(looksLikeFrom)
  if (!author) return { kind: 'no_from' }
  if (others.length > 0) return { kind: 'several_from' }
  const [from, ...more] = (author.name === 'from' && parseMailboxes(fieldValue(author))) || []
  if (!from) return { kind: 'no_from' }
  if (more.length > 0) return { kind: 'several_from' }
  return { kind: 'sound', from }
}

const mostHops = 50

/**
 * Also matches a field that only a lenient parser reads as From; otherwise two programs could see different authors
 * (parser differential).
 */
const looksLikeFrom = ({ name, raw }: HeaderField) => name === 'from' || /^\s*from\s*:/i.test(raw)

export type HeadVerdict = { kind: 'sound'; from: Mailbox } | { kind: 'loop' | 'no_from' | 'several_from' }

/** Returns the loop marker of an alias: keyed, so it cannot be forged and does not reveal the alias. */
export const loopMark = (key: Buffer, alias: string): HeaderField =>
  makeField('X-Relay-Loop', hmac(key, `loop:${alias.toLowerCase()}`).toString('base64url').slice(0, 22))

/** Returns whether a message passed the relay for this alias before. */
const hasLoopMark = (fields: HeaderField[], mark: HeaderField): boolean =>
  fields.some((field) => field.name === mark.name && fieldValue(field) === fieldValue(mark))

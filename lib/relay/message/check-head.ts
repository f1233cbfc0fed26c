import { fieldValue, type HeaderField } from '#lib/relay/mime/header-fields'
import { type Mailbox, parseMailboxes } from '#lib/relay/mime/mailboxes'
import { bearsMark } from './loop-mark.ts'

/** Returns the author of a message, or the reason for its refusal (relay §4). */
export function checkHead(fields: HeaderField[], loopMark: HeaderField): HeadVerdict {
  if (fields.filter(({ name }) => name === 'received').length > mostHops || bearsMark(fields, loopMark)) {
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

/** A field that only a lenient reader takes for a From counts too, or two programs see two authors. */
const looksLikeFrom = ({ name, raw }: HeaderField) => name === 'from' || /^\s*from\s*:/i.test(raw)

export type HeadVerdict = { kind: 'sound'; from: Mailbox } | { kind: 'loop' | 'no_from' | 'several_from' }

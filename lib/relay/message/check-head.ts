import { fieldValue, type HeaderField } from './header-fields.ts'
import { bearsMark } from './loop-mark.ts'
import { type Mailbox, parseMailboxes } from './mailbox.ts'

/** Who wrote a message and whom an answer goes to, or why it goes no further (relay §4). */
export function checkHead(fields: HeaderField[], { loopMark, relayDomain }: HeadRules): HeadVerdict {
  if (fields.filter(({ name }) => name === 'received').length > mostHops || bearsMark(fields, loopMark)) {
    return { kind: 'loop' }
  }
  const [author, ...others] = fields.filter(looksLikeFrom)
  if (!author) return { kind: 'no_from' }
  if (others.length > 0) return { kind: 'several_from' }
  const [from, ...more] = (author.name === 'from' && parseMailboxes(fieldValue(author))) || []
  if (!from) return { kind: 'no_from' }
  if (more.length > 0) return { kind: 'several_from' }
  return { kind: 'sound', from, answerTo: chosenReplyTo(fields, relayDomain) ?? from.address }
}

const mostHops = 50

/** A field that only a lenient reader takes for a From counts too, or two programs see two authors. */
const looksLikeFrom = ({ name, raw }: HeaderField) => name === 'from' || /^\s*from\s*:/i.test(raw)

/** The first address an answer is wished at; one of our own would send it round in a circle. */
function chosenReplyTo(fields: HeaderField[], relayDomain: string): string | undefined {
  const field = fields.find(({ name }) => name === 'reply-to')
  const mailboxes = field && parseMailboxes(fieldValue(field))
  return mailboxes?.find(({ address }) => !isAt(address, relayDomain))?.address
}

const isAt = (address: string, domain: string) => address.toLowerCase().endsWith(`@${domain.toLowerCase()}`)

export type HeadRules = { loopMark: HeaderField; relayDomain: string }

export type HeadVerdict =
  | { kind: 'sound'; from: Mailbox; answerTo: string }
  | { kind: 'loop' | 'no_from' | 'several_from' }

import { isIPv6 } from 'node:net'
import { hmac } from '#lib/crypto/hash'
import { fieldValue, type HeaderField, makeField } from '#lib/relay/mime/header-fields'
import { type Mailbox, parseMailboxes } from '#lib/relay/mime/mailboxes'
import type { Relay } from '#lib/relay/relay'
import type { Incoming } from './incoming.ts'

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

type HeadVerdict = { kind: 'sound'; from: Mailbox } | { kind: 'loop' | 'no_from' | 'several_from' }

/** Returns the loop marker of an alias: keyed, so it cannot be forged and does not reveal the alias. */
export const loopMark = (key: Buffer, alias: string): HeaderField =>
  makeField('X-Relay-Loop', hmac(key, `loop:${alias.toLowerCase()}`).toString('base64url').slice(0, 22))

/** Returns whether a message passed the relay for this alias before. */
const hasLoopMark = (fields: HeaderField[], mark: HeaderField): boolean =>
  fields.some((field) => field.name === mark.name && fieldValue(field) === fieldValue(mark))

/** Returns the Received field that the relay adds (RFC 5321 §4.4). */
export function makeReceived({ helo, address, by, protocol, id, alias, now }: Hop): HeaderField {
  const client = isIPv6(address) ? `IPv6:${address}` : address
  const date = now.toUTCString().replace('GMT', '+0000')
  return makeField(
    'Received',
    `from ${harmless(helo)} ([${client}])\r\n by ${by} with ${protocol} id ${id}\r\n for <${alias}>; ${date}`,
  )
}

/** The HELO name is chosen by the client, so unsafe characters are removed. */
const harmless = (helo: string) => helo.replace(/[^\w.:[\]-]/g, '').slice(0, 255) || 'unknown'

type Hop = {
  helo: string
  address: string
  by: string
  /** ESMTP, ESMTPS, UTF8SMTP … */
  protocol: string
  id: string
  alias: string
  now: Date
}

/** Returns the Received field of an incoming message; `to` is its recipient. */
export const traceField = (relay: Relay, { client, protocol }: Incoming, to: string): HeaderField =>
  makeReceived({
    helo: client.helo,
    address: client.ip,
    by: relay.domain,
    protocol,
    id: relay.random(8).toString('hex'),
    alias: to,
    now: relay.now(),
  })

import { isIPv6 } from 'node:net'
import { type HeaderField, makeField } from '#lib/relay/mime/header-fields'

/** The trace field of the one hop that the relay is (RFC 5321 §4.4). */
export function makeReceived({ helo, address, by, protocol, id, alias, now }: Hop): HeaderField {
  const client = isIPv6(address) ? `IPv6:${address}` : address
  const date = now.toUTCString().replace('GMT', '+0000')
  return makeField(
    'Received',
    `from ${harmless(helo)} ([${client}])\r\n by ${by} with ${protocol} id ${id}\r\n for <${alias}>; ${date}`,
  )
}

/** A client names itself as it likes. */
const harmless = (helo: string) => helo.replace(/[^\w.:[\]-]/g, '').slice(0, 255) || 'unknown'

export type Hop = {
  helo: string
  address: string
  by: string
  /** ESMTP, ESMTPS, UTF8SMTP … */
  protocol: string
  id: string
  alias: string
  now: Date
}

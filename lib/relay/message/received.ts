import { isIPv6 } from 'node:net'
import { type HeaderField, makeField } from '#lib/relay/mime/header-fields'
import type { Relay } from '#lib/relay/relay'
import type { Incoming } from './incoming.ts'

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

import type { Incoming } from '#lib/relay/inbound/receive'
import type { HeaderField } from '#lib/relay/mime/header-fields'
import type { Relay } from '#lib/relay/relay'
import { makeReceived } from './received.ts'

/** How a message came to the relay; `to` is the address it came for. */
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

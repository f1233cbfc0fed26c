import type { HeaderField } from './message/header-fields.ts'
import { makeReceived } from './message/received.ts'
import type { Incoming } from './receive.ts'
import type { Relay } from './relay.ts'

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

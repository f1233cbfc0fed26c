import { fingerprint } from './fingerprint.ts'
import { fieldValue, type HeaderField } from './message/header-fields.ts'
import type { Incoming } from './receive.ts'
import type { Relay } from './relay.ts'

const day = 86_400_000

/** By which a message is known again; one without a Message-ID is not. */
export function receiptFor(relay: Relay, { from, to, message }: Incoming, fields: HeaderField[]): Receipt {
  const id = fields.find(({ name }) => name === 'message-id')
  const { bodySha256 } = message
  const print = fingerprint(relay.keys.mark, { from, to, messageId: id && fieldValue(id), bodySha256 })
  return {
    /** Whether the next mail server took it before: our answer was lost, and it is not sent twice (relay §1). */
    wasTaken: async () => print !== undefined && relay.store.wasTaken(print, relay.now()),
    keep: async () => {
      if (print) await relay.store.keepTaken(print, new Date(relay.now().getTime() + day))
    },
  }
}

export type Receipt = { wasTaken(): Promise<boolean>; keep(): Promise<void> }

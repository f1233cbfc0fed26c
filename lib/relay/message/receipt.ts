import type { Incoming } from '#lib/relay/inbound/receive'
import { fieldValue, type HeaderField } from '#lib/relay/mime/header-fields'
import type { Relay } from '#lib/relay/relay'
import { fingerprint } from './fingerprint.ts'

const day = 86_400_000

/** By which a message is known again; one without a Message-ID is not. */
export function receiptFor(relay: Relay, { from, to, message }: Incoming, fields: HeaderField[]): Receipt {
  const id = fields.find(({ name }) => name === 'message-id')
  const { bodySha256 } = message
  const seen = { from, to, messageId: id && fieldValue(id), bodySha256 }
  const prints = relay.keys.mark.flatMap((key) => fingerprint(key, seen) ?? [])
  return {
    /** Whether the next mail server took it before: our answer was lost, and it is not sent twice (relay §1). */
    wasTaken: async () =>
      (await Promise.all(prints.map((print) => relay.store.wasTaken(print, relay.now())))).includes(true),
    keep: async () => {
      const [print] = prints
      if (print) await relay.store.keepTaken(print, new Date(relay.now().getTime() + day))
    },
  }
}

export type Receipt = { wasTaken(): Promise<boolean>; keep(): Promise<void> }

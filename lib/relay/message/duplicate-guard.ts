import { hmac } from '#lib/crypto/hash'
import { fieldValue, type HeaderField } from '#lib/relay/mime/header-fields'
import type { Relay } from '#lib/relay/relay'
import type { Incoming } from './incoming.ts'

const day = 86_400_000

/** By which a message is known again; one without a Message-ID is not. */
export function duplicateGuard(relay: Relay, { from, to, message }: Incoming, fields: HeaderField[]): DuplicateGuard {
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

export type DuplicateGuard = { wasTaken(): Promise<boolean>; keep(): Promise<void> }

/**
 * By which a message is known again within a day; it tells nobody what was in it. A message without a Message-ID has
 * none: two of them may be alike and still be two, and twice is better than not at all.
 */
export function fingerprint(key: Uint8Array, { from, to, messageId, bodySha256 }: Seen): string | undefined {
  const id = messageId?.trim()
  if (!id || id === '<>') return undefined
  const parts = JSON.stringify([from, to.toLowerCase(), id, bodySha256])
  return hmac(key, 'fingerprint', parts).toString('base64url')
}

/** The envelope with the null sender as '', and the body's hash as text. */
type Seen = { from: string; to: string; messageId: string | undefined; bodySha256: string }

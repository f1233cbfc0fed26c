import { hmac } from '#lib/crypto/hash'
import { fieldValue, type HeaderField } from '#lib/relay/mime/header-fields'
import type { Relay } from '#lib/relay/relay'
import type { Incoming } from './incoming.ts'

const day = 86_400_000

/** Detects a repeated delivery of a message; a message without a Message-ID is never taken for a repeat. */
export function duplicateGuard(relay: Relay, { from, to, message }: Incoming, fields: HeaderField[]): DuplicateGuard {
  const id = fields.find(({ name }) => name === 'message-id')
  const { bodySha256 } = message
  const seen = { from, to, messageId: id && fieldValue(id), bodySha256 }
  const prints = relay.keys.mark.flatMap((key) => fingerprint(key, seen) ?? [])
  return {
    /**
     * Returns whether the next mail server accepted this message before. The sender repeats a message when our reply
     * was lost; the relay does not send it twice (relay §1).
     */
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
 * Returns a keyed fingerprint that identifies a message for a day without revealing its content. Undefined without a
 * Message-ID: two equal messages may be different ones, and a duplicate is better than a loss.
 */
export function fingerprint(key: Uint8Array, { from, to, messageId, bodySha256 }: Seen): string | undefined {
  const id = messageId?.trim()
  if (!id || id === '<>') return undefined
  const parts = JSON.stringify([from, to.toLowerCase(), id, bodySha256])
  return hmac(key, 'fingerprint', parts).toString('base64url')
}

/** `from` is '' for the null sender; `bodySha256` is in hex. */
type Seen = { from: string; to: string; messageId: string | undefined; bodySha256: string }

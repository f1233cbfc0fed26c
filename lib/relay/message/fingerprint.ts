import { createHmac } from 'node:crypto'

/**
 * By which a message is known again within a day; it tells nobody what was in it. A message without a Message-ID has
 * none: two of them may be alike and still be two, and twice is better than not at all.
 */
export function fingerprint(key: Uint8Array, { from, to, messageId, bodySha256 }: Seen): string | undefined {
  const id = messageId?.trim()
  if (!id || id === '<>') return undefined
  const parts = JSON.stringify([from, to.toLowerCase(), id, bodySha256])
  return createHmac('sha256', key).update(`fingerprint\0${parts}`).digest('base64url')
}

/** The envelope with the null sender as '', and the body's hash as text. */
type Seen = { from: string; to: string; messageId: string | undefined; bodySha256: string }

import { hmac } from '#lib/crypto/hash'
import type { Incoming } from '#lib/relay/message/incoming'
import type { Relay } from '#lib/relay/relay'
import type { Report } from './read-report.ts'

/** The meaning of a report for further deliveries: only `hard` counts towards a pause (relay §7). */
export type BounceVerdict = 'hard' | 'policy' | 'other' | 'not failed'

/** Classifies a report: a missing or disabled inbox, mail refused by policy, another permanent failure, or none. */
export function judgeBounce({ action, status }: Report): BounceVerdict {
  if (action !== 'failed' || !status.startsWith('5.')) return 'not failed'
  const [, subject, detail] = status.split('.')
  if (subject === '7') return 'policy'
  if (subject === '1') return aboutSender.has(detail ?? '') ? 'other' : 'hard'
  return subject === '2' && detail === '1' ? 'hard' : 'other'
}

/** 5.1.7 and 5.1.8 concern the sender address, which is ours (RFC 3463 §3.2); 5.1.5 means success. */
const aboutSender = new Set(['5', '7', '8'])

const day = 86_400
const toPause = 3

/**
 * Records a bounced message. Pauses forwarding after three different messages in a day bounced because the inbox is
 * gone (relay §7).
 */
export async function noteReturnedMail(relay: Relay, { message }: Incoming, personId: string): Promise<void> {
  const now = relay.now()
  const id = hmac(relay.keys.mark[0], 'returned', personId, message.bodySha256).toString('hex')
  const count = await relay.store.noteReturned(id, personId, now, new Date(now.getTime() - day * 1000))
  if (count >= toPause && (await relay.store.pauseMail(personId, now))) await relay.events.mailPaused(personId)
}

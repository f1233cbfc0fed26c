import { isAscii } from 'node:buffer'
import type { Readable } from 'node:stream'
import { type Answer, answers } from '#lib/relay/answers'
import { signFields } from '#lib/relay/dkim/sign'
import { type HeaderField, writeFields } from '#lib/relay/mime/header-fields'
import type { Relay } from '#lib/relay/relay'

/** A message to send. The body was hashed on arrival and is read only once more. */
export type OutboundMail = {
  envelope: { from: string; to: string }
  fields: HeaderField[]
  body: { bodySize: number; dkimBodyHash: string; eightBit: boolean; withHead(head: Buffer): Readable }
  /**
   * Whether the sender asked for SMTPUTF8. Some senders use raw UTF-8 without it; if the relay added it for them, a
   * later server could refuse the mail.
   */
  saysUtf8: boolean
  /** When the next mail server must have replied; after that the result is `later`. */
  answerBy: Date
  /** Skips the signature: for unauthenticated mail it would vouch for a forged From. */
  unsigned?: boolean
}

/** `status` is the enhanced status code of a refusal (RFC 3463). */
export type SendResult = { outcome: 'taken' | 'later' | 'refused' | 'incapable'; answer: Answer; status?: string }

/**
 * Signs a message, unless its sender is unauthenticated, and sends it to the next mail server; maps the reply to one
 * of the relay's fixed replies (relay §4).
 */
export async function sendMessage(relay: Relay, leaving: OutboundMail): Promise<SendResult> {
  const { envelope, fields, body, unsigned, answerBy, saysUtf8 } = leaving
  const { dkimBodyHash, eightBit, bodySize } = body
  const signing = {
    domain: relay.domain,
    keys: unsigned ? [] : await relay.signingKeys(),
    dkimBodyHash,
    now: relay.now(),
  }
  const head = writeFields([...(await signFields(fields, signing)), ...fields])
  const outgoing = {
    ...envelope,
    size: head.length + bodySize,
    eightBit: eightBit || !isAscii(head),
    utf8: saysUtf8 && !isAscii(head),
    read: () => body.withHead(head),
  }
  const result = await relay.nextHop.send(outgoing, answerBy.getTime() - relay.now().getTime())
  switch (result.kind) {
    case 'taken':
      return { outcome: 'taken', answer: answers.taken }
    case 'later':
      return { outcome: 'later', answer: answers.later }
    case 'refused':
      return { outcome: 'refused', answer: answers.refused, ...(result.status && { status: result.status }) }
    case 'incapable':
      return { outcome: 'incapable', answer: lacking[result.lacks] }
  }
}

const lacking = { SMTPUTF8: answers.lacksUtf8, SIZE: answers.lacksSize, '8BITMIME': answers.lacksEightBit }

/**
 * Awaits bookkeeping after a delivery. A bookkeeping failure must not turn a 250 into an error: the sender would
 * repeat the message, and it would arrive each time.
 */
export async function keepRecords(relay: Relay, notes: (Promise<unknown> | undefined)[]): Promise<void> {
  for (const note of await Promise.allSettled(notes)) if (note.status === 'rejected') relay.events.fault(note.reason)
}

import { isAscii } from 'node:buffer'
import type { Readable } from 'node:stream'
import { type Answer, answers } from '#lib/relay/answers'
import { signFields } from '#lib/relay/dkim/sign'
import { type HeaderField, writeFields } from '#lib/relay/mime/header-fields'
import type { Relay } from '#lib/relay/relay'

/** A message as it leaves. Its body was hashed as it came in, so it is read once more and no more. */
export type OutboundMail = {
  envelope: { from: string; to: string }
  fields: HeaderField[]
  body: { bodySize: number; dkimBodyHash: string; eightBit: boolean; withHead(head: Buffer): Readable }
  /** Its sender asked for SMTPUTF8. Others send raw letters without; who asks in their place has mail refused further on. */
  saysUtf8: boolean
  /** By then the next mail server has answered, or it is for later. */
  answerBy: Date
  /** A stranger's message goes on as it is: our signature would vouch for whoever it says it is from. */
  unsigned?: boolean
}

/** `status` is what the next server said of a refusal, by its code alone (RFC 3463). */
export type SendResult = { outcome: 'taken' | 'later' | 'refused' | 'incapable'; answer: Answer; status?: string }

/** Signs a message, unless nobody vouches for it, and gives it to the next mail server; what that one says becomes one of our fixed answers (relay §4). */
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
 * What is noted of a message that the next mail server has taken. That it was taken stays true when a note fails: said
 * otherwise, the sender would send it again and again, and it would arrive each time.
 */
export async function keepRecords(relay: Relay, notes: (Promise<unknown> | undefined)[]): Promise<void> {
  for (const note of await Promise.allSettled(notes)) if (note.status === 'rejected') relay.events.fault(note.reason)
}

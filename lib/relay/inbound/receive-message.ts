import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { type Answer, answers } from '#lib/relay/answers'
import { forward } from '#lib/relay/forward/forward'
import { forwardToOperator } from '#lib/relay/forward/forward-to-operator'
import type { Incoming, Transaction } from '#lib/relay/message/incoming'
import { type SpoolProblem, spool, spoolSizes } from '#lib/relay/message/spool'
import { type Destination, judgeRecipient } from '#lib/relay/recipient/judge-recipient'
import type { Relay } from '#lib/relay/relay'
import { reply } from '#lib/relay/reply/reply'
import { handleReport } from '#lib/relay/reports/handle-report'

/** The bytes of a message, and the function that requests a slot for it. */
export type Source = { stream: Readable; enter(): boolean }

/**
 * Receives one message and returns the SMTP reply; 250 means that the next mail server has accepted the message
 * (relay §1).
 */
export async function receiveMessage(
  relay: Relay,
  transaction: Transaction,
  destination: Destination,
  { stream, enter }: Source,
): Promise<Answer> {
  const message = await spool(stream, { ...spoolSizes, folder: tmpdir() }, enter)
  if (message.kind !== 'spooled') {
    relay.events.outcome(destination.kind, message.kind)
    return problems[message.kind]
  }
  try {
    // The alias may have been switched off, or another inbox bound, while the message arrived.
    const judged = await judgeRecipient(relay, transaction.to, transaction.client.ip)
    if ('refusal' in judged) {
      relay.events.outcome(destination.kind, 'closed_meanwhile')
      return judged.refusal
    }
    const answerBy = new Date(relay.now().getTime() + patience)
    return await dispatch(relay, { ...transaction, message, answerBy }, judged.destination)
  } finally {
    await message.discard()
  }
}

/** Milliseconds from the final dot to the reply (relay §1). */
const patience = 8 * 60_000

function dispatch(relay: Relay, incoming: Incoming, destination: Destination): Promise<Answer> {
  switch (destination.kind) {
    case 'forward':
      return forward(relay, incoming, destination.route)
    case 'reply':
      return reply(relay, incoming, destination)
    case 'report':
      return handleReport(relay, incoming, destination)
    case 'operator':
      return forwardToOperator(relay, incoming)
  }
}

export const problems: Record<SpoolProblem['kind'], Answer> = {
  too_large: answers.tooLarge,
  too_many_pieces: answers.tooManyPieces,
  no_room: answers.later,
  head_too_large: answers.malformed,
  bare_newline: answers.malformed,
  nul: answers.malformed,
}

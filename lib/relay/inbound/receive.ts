import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { type Answer, answers } from '#lib/relay/answers'
import { forward } from '#lib/relay/forward/forward'
import { toOperator } from '#lib/relay/forward/forward-to-operator'
import { type Spooled, type SpoolProblem, spool, spoolSizes } from '#lib/relay/message/spool'
import { type Destination, judgeRecipient } from '#lib/relay/recipient/judge-recipient'
import type { Relay } from '#lib/relay/relay'
import { reply } from '#lib/relay/reply/reply'
import { takeReport } from '#lib/relay/reports/take-report'

/** Who speaks to us, and whom the message is for. */
export type Transaction = {
  client: { ip: string; helo: string }
  /** MAIL FROM; empty for the null sender. */
  from: string
  to: string
  /** How it came, for the trace: ESMTP, ESMTPS … */
  protocol: string
  /** MAIL FROM said SMTPUTF8 (RFC 6531 §3.4). */
  saysUtf8: boolean
}

/** A message that has come in whole, and how it came. */
export type Incoming = Transaction & {
  message: Spooled
  /** The sender waits ten minutes for our answer, whatever we do meanwhile (RFC 5321 §4.5.3.2.6). */
  answerBy: Date
}

/** What comes in, and whether there is room for it. */
export type Source = { stream: Readable; enter(): boolean }

/** Takes one message and says what became of it; its 250 means that the next mail server has taken it (relay §1). */
export async function receive(
  relay: Relay,
  transaction: Transaction,
  destination: Destination,
  { stream, enter }: Source,
): Promise<Answer> {
  const message = await spool(stream, { ...spoolSizes, folder: tmpdir() }, enter)
  if (message.kind !== 'spooled') {
    relay.tell.outcome(destination.kind, message.kind)
    return problems[message.kind]
  }
  try {
    // While it came in the address may have been switched off, or another inbox bound.
    const judged = await judgeRecipient(relay, transaction.to, transaction.client.ip)
    if ('refusal' in judged) {
      relay.tell.outcome(destination.kind, 'closed_meanwhile')
      return judged.refusal
    }
    const answerBy = new Date(relay.now().getTime() + patience)
    return await carry(relay, { ...transaction, message, answerBy }, judged.destination)
  } finally {
    await message.discard()
  }
}

/** Milliseconds from the last dot to our answer (relay §1). */
const patience = 8 * 60_000

function carry(relay: Relay, incoming: Incoming, destination: Destination): Promise<Answer> {
  switch (destination.kind) {
    case 'forward':
      return forward(relay, incoming, destination.route)
    case 'reply':
      return reply(relay, incoming, destination)
    case 'report':
      return takeReport(relay, incoming, destination)
    case 'operator':
      return toOperator(relay, incoming)
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

import type { Spooled } from './spool.ts'

/** An SMTP transaction: the client, the sender and the recipient. */
export type Transaction = {
  client: { ip: string; helo: string }
  /** MAIL FROM; '' for the null sender. */
  from: string
  to: string
  /** The protocol name for the Received field: ESMTP, ESMTPS … */
  protocol: string
  /** Whether MAIL FROM had the SMTPUTF8 parameter (RFC 6531 §3.4). */
  saysUtf8: boolean
}

/** A message that has arrived completely, with its transaction. */
export type Incoming = Transaction & {
  message: Spooled
  /** When the reply is due: the sender waits ten minutes at most (RFC 5321 §4.5.3.2.6). */
  answerBy: Date
}

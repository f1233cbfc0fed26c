import type { Spooled } from './spool.ts'

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

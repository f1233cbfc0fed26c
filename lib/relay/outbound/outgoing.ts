import type { Readable } from 'node:stream'

/** A message for one recipient; '' is the null sender. Its size is exact, its lines end with CRLF. */
export type Outgoing = {
  from: string
  to: string
  size: number
  eightBit: boolean
  /** Whether the header needs SMTPUTF8; addresses are checked separately. */
  utf8: boolean
  /** Reads the whole message from its beginning; may be called repeatedly. */
  read(): Readable
}

/** The outcome of a transaction. Only `taken` moves the responsibility to the next server (RFC 5321 §6.1). */
export type TransactionResult =
  | { kind: 'taken'; response: string }
  | { kind: 'later'; code?: number; detail: string }
  | { kind: 'refused'; code: number; status?: string; detail: string }
  | { kind: 'incapable'; lacks: Lack }

/** An extension that a message needs and a mail server does not announce. */
export type Lack = 'SMTPUTF8' | '8BITMIME' | 'SIZE'

import type { Readable } from 'node:stream'

/** A message that is to leave, for one recipient; '' is the null sender. Its size is exact, its lines end with CRLF. */
export type Outgoing = {
  from: string
  to: string
  size: number
  eightBit: boolean
  /** The header needs SMTPUTF8; an address that does says so by itself. */
  utf8: boolean
  /** The whole message from its beginning, each time it is called. */
  read(): Readable
}

/** What became of a message: `taken` is the only one after which it is somebody else's. */
export type TransactionResult =
  | { kind: 'taken'; response: string }
  | { kind: 'later'; code?: number; detail: string }
  | { kind: 'refused'; code: number; status?: string; detail: string }
  | { kind: 'incapable'; lacks: Lack }

/** What a message needs and a mail server has not announced. */
export type Lack = 'SMTPUTF8' | '8BITMIME' | 'SIZE'

/**
 * Returns whether an error means that the database cannot serve now: unreachable, silent, busy, full, failing or read-only.
 * Looks into every wrapped error (causes, AggregateError, Prisma's driver adapter), because each layer has its own codes.
 */
export const isUnavailable = (fault: unknown): boolean =>
  within(fault).some(
    ({ code, errorCode, originalCode, extendedCode, kind, message }) =>
      [code, errorCode, originalCode].some((text) => typeof text === 'string' && codes.test(text)) ||
      isFromSocket({ code, message }) ||
      (typeof extendedCode === 'number' && sqliteResults.has(extendedCode & 0xff)) ||
      (typeof kind === 'string' && adapterKinds.has(kind)) ||
      (typeof message === 'string' && messages.test(message)),
  )

/**
 * Returns whether a Unix socket refused a connection: it does not exist because PostgreSQL is stopped (ENOENT), belongs to others
 * (EACCES), or its queue is full (EAGAIN). The message names its path; Prisma puts lines of its own before it.
 */
export const isFromSocket = ({ code, message }: { code?: unknown; message?: unknown }): boolean =>
  /^(ENOENT|EACCES|EAGAIN)$/.test(String(code)) && /^connect E\w+ \//m.test(String(message))

/** Returns whether the database can be read but not written: it is read-only, or its disk is full or failing. */
export const refusesWrites = (fault: unknown): boolean => isAmong(fault, readOnly) || refusesSomeWrites(fault)

/** Returns whether the disk is full or failing, so that a small write may pass where a larger one fails. */
export const refusesSomeWrites = (fault: unknown): boolean => isAmong(fault, badDisk)

type Codes = { texts: RegExp; sqliteResults: number[] }

const isAmong = (fault: unknown, { texts, sqliteResults }: Codes) =>
  within(fault).some(
    ({ code, originalCode, extendedCode }) =>
      [code, originalCode].some((text) => typeof text === 'string' && texts.test(text)) ||
      (typeof extendedCode === 'number' && sqliteResults.includes(extendedCode & 0xff)),
  )

/** Lists an error and all errors that it wraps. */
function within(fault: unknown): Wrapping[] {
  const found = new Set<Wrapping>()
  const waiting = [fault]
  for (const one of waiting) {
    if (typeof one !== 'object' || one === null || found.has(one as Wrapping)) continue
    const { cause, errors, meta } = one as Wrapping
    found.add(one as Wrapping)
    waiting.push(cause, meta?.driverAdapterError, ...(Array.isArray(errors) ? errors : []))
  }
  return [...found]
}

type Wrapping = Record<string, unknown> & { meta?: { driverAdapterError?: unknown } }

const codes = new RegExp(
  `^(${[
    // Node: network, disk and file errors.
    'ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)(UNREACH|DOWN)|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|ENOSPC|EROFS|EIO|E[MN]FILE',
    // PostgreSQL (appendix A): connection, read-only or ended transaction, access, conflict, resources, lock, operator,
    // system.
    '08\\w{3}|25006|25P03|28\\w{3}|3D000|40001|40P01|53\\w{3}|55P03|57014|57P0\\d|58\\w{3}',
    // Prisma: connection errors, timeouts, closed connections, conflicts.
    'P1000|P1001|P1002|P1003|P1008|P1010|P1011|P1017|P2024|P2028|P2034|P2037',
    'SQLITE_(BUSY|LOCKED|NOMEM|READONLY|IOERR|FULL|CANTOPEN|PROTOCOL)(_\\w+)?',
  ].join('|')})$`,
)

/**
 * The numeric result codes of the SQLite errors above (https://sqlite.org/rescode.html), as the driver adapter
 * reports them.
 */
const sqliteResults = new Set([5, 6, 7, 8, 10, 13, 14, 15])

const readOnly: Codes = { texts: /^(25006|EROFS|SQLITE_READONLY(_\w+)?)$/, sqliteResults: [8] }
const badDisk: Codes = { texts: /^(53100|58030|ENOSPC|EIO|SQLITE_(IOERR|FULL)(_\w+)?)$/, sqliteResults: [10, 13] }

/** Error kinds of the driver adapter that carry no code. */
const adapterKinds = new Set([
  'AuthenticationFailed',
  'ConnectionClosed',
  'DatabaseAccessDenied',
  'DatabaseDoesNotExist',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
  'TransactionWriteConflict',
])

/** Errors of the drivers that have no code. */
const messages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client was closed|Client has encountered a connection error|Cannot use a pool after|The database connection is not open)/

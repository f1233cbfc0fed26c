import { makeSemaphore } from '#lib/queue/semaphore'
import type { Outgoing, TransactionResult } from './outgoing.ts'
import { connectToHop, type HopConnection, type HopTimes, runTransaction } from './smtp-client.ts'

/** The mail server behind the relay; `close` waits for running transactions. */
export type NextHop = {
  /** Returns `later` for a message that takes longer than `within` milliseconds. */
  send(message: Outgoing, within?: number): Promise<TransactionResult>
  close(): Promise<void>
}

const hopTimes: HopTimes = { connecting: 30_000, command: 60_000, whole: 8 * 60_000, idle: 30_000 }

// Postfix accepts 50 connections from one client by default. Postern's own e-mails use separate connections.
const mostConnections = 20

/**
 * Sends messages to the mail server at SMTP_URL over a connection pool (relay §1). Every failure before a definite
 * reply is `later`: a message may arrive twice, but is never lost.
 */
export function openNextHop(smtpUrl: string, times: HopTimes = hopTimes): NextHop {
  const connections = openConnectionPool(smtpUrl, times)
  const withSlot = makeSemaphore(mostConnections)
  const underway = new Set<Promise<unknown>>()

  /** Sends over this connection and returns it to the pool when it is still usable. */
  const sendOver = async (connection: HopConnection, message: Outgoing, signal: AbortSignal) => {
    let fit = false
    try {
      const result = await runTransaction(connection, message, times.command, signal)
      fit = result.kind === 'taken' || result.kind === 'incapable'
      return result
    } finally {
      if (fit) connections.keep(connection)
      else connection.close()
    }
  }

  const attempt = async (message: Outgoing, signal: AbortSignal): Promise<TransactionResult> => {
    const kept = connections.takeIdle()
    if (kept) {
      const result = await sendOver(kept, message, signal)
      // Servers close idle connections at any time; retry on a new one.
      if (result.kind !== 'dropped') return result
    }
    let connection: HopConnection
    try {
      connection = await connections.open(signal)
    } catch (fault) {
      return later(fault)
    }
    const result = await sendOver(connection, message, signal)
    return result.kind === 'dropped' ? { ...result, kind: 'later' } : result
  }

  const send = async (message: Outgoing, within: number): Promise<TransactionResult> => {
    const whole = new AbortController()
    const timer = setTimeout(() => whole.abort(new Error('it took too long')), Math.min(within, times.whole))
    try {
      return await withSlot(whole.signal, () => attempt(message, whole.signal))
    } catch (fault) {
      if (fault === whole.signal.reason) return later(fault)
      throw fault
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    send(message, within = times.whole) {
      if (connections.closed()) return Promise.resolve({ kind: 'later', detail: 'we are closing' })
      const sending = send(message, within).finally(() => underway.delete(sending))
      underway.add(sending)
      return sending
    },
    async close() {
      connections.close()
      await Promise.allSettled(underway)
      await connections.ended()
    },
  }
}

const later = (fault: unknown): TransactionResult => {
  const { message, responseCode } = fault as Error & { responseCode?: number }
  return { kind: 'later', ...(responseCode !== undefined && { code: responseCode }), detail: message }
}

/** A pool of connections to the next mail server; the last used idle one is reused first. */
function openConnectionPool(smtpUrl: string, times: HopTimes) {
  const open = new Map<HopConnection, Promise<void>>()
  const idle = new Map<HopConnection, NodeJS.Timeout>()
  let closing = false

  const takeOut = (connection: HopConnection) => {
    clearTimeout(idle.get(connection))
    idle.delete(connection)
  }
  const leave = (connection: HopConnection) => {
    takeOut(connection)
    connection.waitAtMost(Math.min(times.command, farewell))
    connection.quit()
  }
  return {
    async open(signal: AbortSignal): Promise<HopConnection> {
      const connection = await connectToHop(smtpUrl, times, signal)
      const { promise, resolve } = Promise.withResolvers<void>()
      open.set(connection, promise)
      connection.once('end', () => {
        takeOut(connection)
        open.delete(connection)
        resolve()
      })
      return connection
    },
    takeIdle(): HopConnection | undefined {
      const connection = [...idle.keys()].at(-1)
      if (connection) takeOut(connection)
      return connection
    },
    keep(connection: HopConnection): void {
      if (connection.destroyed) return
      if (closing) {
        leave(connection)
        return
      }
      connection.waitAtMost(0)
      idle.set(
        connection,
        setTimeout(() => leave(connection), times.idle),
      )
    },
    closed: () => closing,
    close(): void {
      closing = true
      for (const connection of [...idle.keys()]) leave(connection)
    },
    ended: () => Promise.all(open.values()),
  }
}

/** Milliseconds that a server gets to answer QUIT. */
const farewell = 2000

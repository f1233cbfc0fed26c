import { connectToHop, type HopConnection, type HopTimes } from './hop-connection.ts'

/** A pool of connections to the next mail server; the last used idle one is reused first. */
export function openConnectionPool(smtpUrl: string, times: HopTimes) {
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

import type { Server } from 'node:http'
import type { Context } from '#lib/server/compose/context'
import { closeQuietConnections } from './listen.ts'

/**
 * Milliseconds: `patience` is the limit after which a stuck process exits; after `notice`, silent connections are
 * ended.
 */
const patience = 25_000
const notice = 1_000

/** On SIGTERM or SIGINT: stops accepting requests, finishes those in flight, closes the database and exits with 0. */
export function makeShutdown(context: Context, { servers, relay }: Listeners, finish: () => Promise<void>) {
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    context.log.info({ signal }, 'finishing requests in flight')
    context.unready = async () => 'shutting down'
    // A stuck request must not keep the process alive.
    setTimeout(() => process.exit(1), patience).unref()
    await Promise.all([...servers.map(drain), relay?.close()])
    await finish()
    await context.close()
    context.log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
}

type Listeners = { servers: Server[]; relay: { close(): Promise<void> } | undefined }

/**
 * Closes the listener: each further answer has `Connection: close`, and connections without a request in flight end
 * after a second.
 */
function drain(server: Server): Promise<void> {
  server.prependListener('request', (_, outgoing) => outgoing.setHeader('connection', 'close'))
  // Node would end idle connections at once, and lose requests that clients have just sent on them.
  server.closeIdleConnections = () => undefined
  return new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined
    const wait = setTimeout(() => {
      sweep = setInterval(() => closeQuietConnections(server), 50)
    }, notice)
    server.close(() => {
      clearTimeout(wait)
      clearInterval(sweep)
      resolve()
    })
  })
}

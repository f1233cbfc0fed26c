import type { Server } from 'node:http'
import type { Context } from '#lib/server/compose/context'
import { closeQuietConnections } from './listen.ts'

const patience = 25_000
const notice = 1_000

/** On SIGTERM or SIGINT: stop accepting, finish what is in flight, close the database, exit 0. */
export function makeShutdown(context: Context, { servers, relay }: Doors, finish: () => Promise<void>) {
  let leaving = false
  const leave = async (signal: string) => {
    if (leaving) return
    leaving = true
    context.log.info({ signal }, 'finishing what is in flight')
    context.unready = async () => 'shutting down'
    // A stuck request must not keep the process for ever.
    setTimeout(() => process.exit(1), patience).unref()
    await Promise.all([...servers.map(drain), relay?.close()])
    await finish()
    await context.close()
    context.log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', () => leave('SIGTERM'))
  process.on('SIGINT', () => leave('SIGINT'))
}

type Doors = { servers: Server[]; relay: { close(): Promise<void> } | undefined }

/** Connections kept alive between requests end with the next answer, which says so; those that stay silent, after a second. */
function drain(server: Server): Promise<void> {
  server.prependListener('request', (_, outgoing) => outgoing.setHeader('connection', 'close'))
  // Node would cut them at once, and with them the requests that are on their way.
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

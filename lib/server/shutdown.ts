import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '#lib/server/compose/context'
import type { OwnNode } from '#lib/server/nodes/node'
import { closeAfterAnswers, closeQuietConnections } from './listen.ts'

/**
 * Milliseconds: `patience` is the limit after which a stuck process exits; after `notice`, silent connections are
 * ended. npm and a service manager may both deliver one signal: a repetition within `echo` is the same signal.
 */
const patience = 25_000
const notice = 1_000
const echo = 1_000

type Signal = 'SIGTERM' | 'SIGINT'

/**
 * Ends the process at once on a signal during the start. Without a listener, a process with the number 1, as in a
 * container, would ignore the signal. `cleanUp` runs before. Returns a function that stops listening.
 */
export function exitOnSignals(cleanUp = async () => {}): () => void {
  const leave = () => void cleanUp().finally(() => process.exit(0))
  process.on('SIGTERM', leave).on('SIGINT', leave)
  return () => void process.off('SIGTERM', leave).off('SIGINT', leave)
}

/**
 * On SIGTERM: is no longer ready but serves for DRAIN_SECONDS, so that a load balancer can notice. Then, and at once on
 * SIGINT, which comes from a terminal: stops accepting requests, finishes those in flight, closes the database and
 * exits with 0.
 */
export function makeShutdown(context: Context, { servers, relay, node }: Listeners, finish: () => Promise<void>) {
  const { log, config } = context
  const hurry = new AbortController()
  let began: number | undefined
  const stop = async (signal: Signal) => {
    if (began !== undefined) {
      if (performance.now() - began > echo) hurry.abort()
      return
    }
    began = performance.now()
    context.unready = async () => 'shutting down'
    servers.forEach(closeAfterAnswers)
    void node.drain()
    const seconds = signal === 'SIGTERM' ? config.drainSeconds : 0
    if (seconds > 0) {
      log.info({ signal, seconds }, 'no longer ready, serving for now')
      await pause(seconds * 1000, undefined, { signal: hurry.signal }).catch(() => undefined)
    }
    log.info({ signal }, 'finishing requests in flight')
    // A stuck request must not keep the process alive.
    setTimeout(() => process.exit(1), patience).unref()
    await Promise.all([...servers.map(drain), relay?.close()])
    await finish()
    await node.leave()
    await context.close()
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
}

type Listeners = { servers: Server[]; relay: { close(): Promise<void> } | undefined; node: OwnNode }

/** Closes the listener; connections without a request in flight end after a second. */
function drain(server: Server): Promise<void> {
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

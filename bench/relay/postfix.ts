import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostfixBehind } from '../../e2e/postfix.ts'
import type { MailContestant } from './types.ts'
import { waitForGreeting } from './wait-for-greeting.ts'

/**
 * Debian's Postfix, configured as in docs/relay/next-hop: accepts a message when it is in the queue on disk, and
 * forwards it later.
 */
export const postfix: MailContestant = {
  name: 'Postfix (queues)',
  async start(nextHop) {
    if (process.getuid?.() !== 0) return 'Postfix is left out: it starts for root alone.'
    const running = await startPostfixBehind(nextHop)
    process.once('exit', running.remove)
    const stop = async () => {
      process.off('exit', running.remove)
      running.remove()
    }
    try {
      await waitForGreeting(running.port)
    } catch (fault) {
      await stop()
      throw fault
    }
    const pid = Number(readFileSync(join(running.queueFolder, 'pid/master.pid'), 'utf8'))
    const recipients = Array.from({ length: 100 }, (_, index) => `bench-${index}@example.org`)
    return { port: running.port, pid, recipients, countQueued: () => countQueued(running.queueFolder), stop }
  },
}

/** Counts the messages in Postfix's queue. */
const countQueued = (queue: string): number =>
  ['maildrop', 'incoming', 'active', 'deferred']
    .flatMap((part) => readdirSync(join(queue, part), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile()).length

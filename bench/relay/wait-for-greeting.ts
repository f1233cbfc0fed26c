import { setTimeout as sleep } from 'node:timers/promises'
import { openSmtp } from './smtp.ts'

/** Waits until a mail server sends its greeting, at most one minute. */
export async function waitForGreeting(port: number): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const smtp = await openSmtp(port, '127.0.0.1').catch(() => undefined)
    if (smtp) return smtp.close()
    if (Date.now() > deadline) throw new Error(`No mail server greets on port ${port}.`)
    await sleep(50)
  }
}

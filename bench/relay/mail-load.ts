import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readFamily } from './read-family.ts'
import type { MailLoad, MailResult, MailSent, MailServer } from './types.ts'

/**
 * Runs a load against one server and waits until the server has forwarded every accepted message, so that a queueing
 * server is also charged for emptying its queue. The generator runs in its own process.
 */
export async function runMail(server: MailServer, load: Load): Promise<MailResult> {
  const { port, pid, recipients } = server
  const before = readFamily(pid)
  const watch = watchMemory(pid)
  try {
    const sent = await send({ ...load, port, recipients, warmUpSeconds: 1 })
    const emptying = await secondsToEmpty(server)
    const after = readFamily(pid)
    return {
      ...sent,
      handedOnPerSecond: sent.sent / (sent.wholeSeconds + emptying),
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
      memoryBytes: after.memoryBytes,
      peakBytes: Math.max(watch.peak(), after.memoryBytes),
    }
  } finally {
    watch.stop()
  }
}

type Load = Pick<MailLoad, 'bytes' | 'connections' | 'seconds'>

async function secondsToEmpty(server: MailServer): Promise<number> {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  while (server.countQueued() > 0) {
    if (seconds() > 300) throw new Error(`After 5 minutes ${server.countQueued()} messages are still queued.`)
    await sleep(20)
  }
  return seconds()
}

function watchMemory(pid: number) {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, readFamily(pid).memoryBytes)
  }
  const timer = setInterval(look, 250)
  return { peak: () => peak, stop: () => clearInterval(timer) }
}

async function send(load: MailLoad): Promise<MailSent> {
  const child = fork(resolve(import.meta.dirname, 'mail-load-process.ts'), { serialization: 'advanced' })
  try {
    child.send(load)
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [undefined])])
    if (!message) throw new Error('The load generator ended early.')
    if ('fault' in message) throw new Error(message.fault)
    return message.sent
  } finally {
    child.kill()
  }
}

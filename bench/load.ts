import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Workload } from './workload.ts'

/** One run of load against one server. */
export type Load = {
  /** Where the server listens on 127.0.0.1, what it is called in Host, and its process, whose CPU time is read. */
  server: { port: number; host: string; pid: number }
  workload: Workload
  connections: number
  /** Requests before the measured ones, so that nobody is measured cold. */
  warmUpSeconds: number
  seconds: number
}

/** What one run measured. Latencies in milliseconds; `null` where the operating system does not tell. */
export type LoadResult = {
  requests: number
  seconds: number
  p50: number
  p99: number
  cpuSeconds: number | null
  residentBytes: number | null
  /** How busy the generator itself was, of one core: near 1 the figure may be the generator's and not the server's. */
  generatorShare: number
}

/**
 * Puts load on a server: a fixed number of connections, each sending its next request when the last one was answered.
 * The generator is a process of its own, so that its work is not counted as the server's. Throws when any answer is not
 * what the workload says: a figure of failing requests is no figure.
 */
export async function runLoad(load: Load): Promise<LoadResult> {
  const child = fork(resolve(import.meta.dirname, 'load-process.ts'), { serialization: 'advanced' })
  try {
    child.send(load)
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [undefined])])
    if (!message) throw new Error('The load generator ended early.')
    if ('fault' in message) throw new Error(`${load.workload.method} ${load.workload.path}: ${message.fault}`)
    return message.result
  } finally {
    child.kill()
  }
}

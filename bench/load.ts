import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Workload } from './workload.ts'

/** One load run against one server. */
export type Load = {
  /** The server's port on 127.0.0.1, its Host header, and the process whose CPU time is measured. */
  server: { port: number; host: string; pid: number }
  workload: Workload
  connections: number
  /** Requests before the measurement starts, so that caches and the JIT are warm. */
  warmUpSeconds: number
  seconds: number
}

/**
 * The result of one run. Latencies are in milliseconds; `null` where the operating system does not provide a value.
 */
export type LoadResult = {
  requests: number
  seconds: number
  p50: number
  p99: number
  cpuSeconds: number | null
  residentBytes: number | null
  /**
   * CPU use of the generator, as a share of one core. Near 1, the generator may be the bottleneck instead of the
   * server.
   */
  generatorShare: number
}

/**
 * Runs a load against a server: a fixed number of connections, each of which sends its next request when the previous
 * one is answered. The generator runs in its own process, so that its CPU time is not counted as the server's. Throws
 * when an answer does not match the workload, because a throughput of failed requests means nothing.
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

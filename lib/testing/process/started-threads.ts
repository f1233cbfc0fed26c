import type { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'

/** Returns a list to which every thread is added that this process starts until the test ends. */
export function startedThreads(): Worker[] {
  const threads: Worker[] = []
  const remember = (worker: Worker) => threads.push(worker)
  process.on('worker', remember)
  onTestFinished(() => void process.off('worker', remember))
  return threads
}

import { closeSync, openSync, statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import type { SetUp } from './checkpoint-worker.ts'

/** Values of `wal_autocheckpoint`: SQLite's default, and the value while the thread runs. */
const autocheckpoint = { alone: 1000, besideThread: 8000 }

/** `onEnd` receives the error that ended the thread, or that kept it from starting. `restartDelay` is in milliseconds. */
type Options = { onEnd?: ((fault: unknown) => void) | undefined; restartDelay?: number }

/**
 * Makes SQLite's checkpoints in another thread: the main thread would wait for the disk until the scattered pages of a
 * checkpoint are written (decision 0070). The first request starts the thread.
 *
 * Only a complete checkpoint restarts the log. Under load, commits come during each checkpoint of the thread, so a commit
 * makes one at `autocheckpoint.besideThread` pages. It finds little left to copy and to flush.
 */
export function openCheckpointThread(driver: Sqlite.Database, { onEnd, restartDelay = 60_000 }: Options) {
  const inode = driver.memory ? 0 : statSync(driver.name).ino
  const words = new Int32Array(new SharedArrayBuffer(8))
  let descriptor: number | undefined
  let worker: Worker | undefined
  let mayStartAt = 0

  const end = (fault: unknown) => {
    worker = undefined
    mayStartAt = performance.now() + restartDelay
    driver.pragma(`wal_autocheckpoint = ${autocheckpoint.alone}`)
    onEnd?.(fault)
  }
  const start = () => {
    try {
      if (statSync(driver.name).ino !== inode) throw new Error(`${driver.name} is not the file that was opened.`)
      descriptor ??= openSync(driver.name, 'r')
      worker = startThread({ file: driver.name, descriptor, words }, end)
      worker.once('online', () => driver.pragma(`wal_autocheckpoint = ${autocheckpoint.besideThread}`))
    } catch (fault) {
      end(fault)
    }
  }
  const requestCheckpoint = () => {
    if (!worker && performance.now() >= mayStartAt) start()
    Atomics.add(words, 0, 1)
    Atomics.notify(words, 0)
  }
  return {
    requestCheckpoint,
    /** Ends the thread, and then closes both connections. */
    async close() {
      mayStartAt = Number.POSITIVE_INFINITY
      const closing = { worker, descriptor }
      worker = descriptor = undefined
      if (closing.worker) await endThread(closing.worker, words)
      driver.close()
      if (closing.descriptor !== undefined) closeSync(closing.descriptor)
    },
  }
}

function startThread(workerData: SetUp, onEnd: (fault: unknown) => void): Worker {
  const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData })
  let fault: unknown = new Error('The thread ended without an error.')
  worker.on('error', (error) => {
    fault = error
  })
  worker.once('exit', () => {
    if (Atomics.load(workerData.words, 1) === 0) onEnd(fault)
  })
  worker.unref()
  return worker
}

async function endThread(worker: Worker, words: Int32Array) {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  worker.once('exit', () => resolve())
  Atomics.store(words, 1, 1)
  Atomics.add(words, 0, 1)
  Atomics.notify(words, 0)
  worker.ref()
  await ended
}

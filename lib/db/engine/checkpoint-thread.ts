import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { restDelay } from '#lib/queue/rest-delay'
import type { SetUp } from './checkpoint-worker.ts'

/** Pages of `wal_autocheckpoint`: SQLite's default, for when the thread has failed, and the value beside a thread. */
const autocheckpoint = { alone: 1000, besideThread: 8000 }

/** In milliseconds: a thread that failed is replaced after `restartDelay`, and one without work ends after `restDelay`. */
const usual = { restartDelay: 60_000, restDelay }

/** `onEnd` receives the error that ended the thread, or that kept it from starting. */
type Options = Partial<typeof usual> & { onEnd?: ((fault: unknown) => void) | undefined }

/**
 * Makes SQLite's checkpoints in another thread, so that the main thread does not wait for the disk (decision 0070). The
 * first request, and the first one after a rest, starts the thread.
 *
 * SQLite restarts the log only after a complete checkpoint. Under load, those of the thread are incomplete, so a commit makes
 * one at `autocheckpoint.besideThread` pages. By then the thread has copied and flushed nearly all pages.
 */
export function openCheckpointThread(driver: Sqlite.Database, { onEnd, ...delays }: Options) {
  const { restartDelay, restDelay } = { ...usual, ...delays }
  const inode = driver.memory ? 0 : statSync(driver.name).ino
  const requests = sharedNumber()
  let descriptor: number | undefined
  let thread: Thread | undefined
  let mayStartAt = 0
  let closing: Promise<void> | undefined
  const setAutocheckpoint = (pages: number) => driver.pragma(`wal_autocheckpoint = ${pages}`)
  setAutocheckpoint(autocheckpoint.besideThread)

  const fail = (fault: unknown) => {
    mayStartAt = performance.now() + restartDelay
    setAutocheckpoint(autocheckpoint.alone)
    onEnd?.(fault)
  }
  const start = () => {
    try {
      if (statSync(driver.name).ino !== inode) throw new Error(`${driver.name} is not the file that was opened.`)
      descriptor ??= openSync(driver.name, 'r+')
      thread = startThread({ file: driver.name, descriptor, requests, ending: sharedNumber() }, (fault) => {
        thread = undefined
        if (fault !== undefined) fail(fault)
      })
      setAutocheckpoint(autocheckpoint.besideThread)
    } catch (fault) {
      fail(fault)
    }
  }
  // No other thread starts before this one has ended. So a slow disk never holds up more than one thread.
  const restTimer = setTimeout(() => void thread?.end(), restDelay).unref()
  const closeAll = async () => {
    mayStartAt = Number.POSITIVE_INFINITY
    await thread?.end()
    driver.close()
    if (descriptor !== undefined) closeSync(descriptor)
  }
  return {
    requestCheckpoint() {
      if (!thread && performance.now() >= mayStartAt) start()
      restTimer.refresh()
      Atomics.add(requests, 0, 1)
      Atomics.notify(requests, 0)
    },
    /** Ends the thread, and then closes both connections. */
    close() {
      closing ??= closeAll()
      return closing
    },
  }
}

const sharedNumber = () => new Int32Array(new SharedArrayBuffer(4))

/**
 * Kills the process after a failed flush of the database. The system reports such an error once and discards the pages, and
 * a later checkpoint would discard their copies in the log. After the kill, the next start copies the whole log again.
 */
function killAfterFailedFlush(fault: unknown): void {
  const { syscall, code = '' } = fault as NodeJS.ErrnoException
  // Other errors, such as EINVAL, mean that the file system does not support fdatasync.
  if (syscall !== 'fdatasync' || !['EIO', 'ENOSPC', 'EDQUOT'].includes(code)) return
  writeSync(
    2,
    `The disk did not write the database (${fault}). The process ends, so that a start copies the log again.\n`,
  )
  process.kill(process.pid, 'SIGKILL')
}

type Thread = { end(): Promise<void> }

/** `onEnd` receives the error that ended the thread; undefined after `end`. */
function startThread(workerData: SetUp, onEnd: (fault: unknown) => void): Thread {
  const { requests, ending } = workerData
  const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let fault: unknown
  worker.on('error', (error) => {
    killAfterFailedFlush(error)
    fault = error
  })
  worker.once('exit', () => {
    const isExpected = Atomics.load(ending, 0) === 1
    onEnd(fault ?? (isExpected ? undefined : new Error('The thread ended without an error.')))
    resolve()
  })
  worker.unref()
  return {
    async end() {
      Atomics.store(ending, 0, 1)
      Atomics.add(requests, 0, 1)
      Atomics.notify(requests, 0)
      worker.ref()
      await ended
    },
  }
}

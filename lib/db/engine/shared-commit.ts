import type Database from 'better-sqlite3'
import { currentRequest, outsideRequests } from '#lib/queue/current-request'
import type { Observe } from './client.ts'
import { refuseWhenOver } from './request-over.ts'
import type { Turnstile } from './turnstile.ts'
import type { WhileLocked } from './while-locked.ts'

type Waiting = { run: () => unknown; answer: (value: unknown) => void; refuse: (fault: unknown) => void }

/**
 * Gathers the writes of concurrent requests into one transaction per turn of the event loop: one fsync for all of
 * them, each answered after the commit. A statement that fails its constraint refuses only its own caller.
 */
export function makeSharedCommit(
  driver: Database.Database,
  door: Turnstile,
  whileLocked: WhileLocked,
  observe: Observe,
) {
  let queue: Waiting[] = []
  const begin = driver.prepare('BEGIN IMMEDIATE')
  const commit = driver.prepare('COMMIT')

  const flush = async () => {
    const began = performance.now()
    try {
      await whileLocked(async () => {
        // A free turnstile: run in this very turn, so that no transaction can begin in between.
        const leave = door.isFree() ? undefined : await door.enter()
        try {
          begin.run()
          settle()
        } finally {
          leave?.()
        }
      })
    } catch (fault) {
      for (const job of takeQueue()) job.refuse(fault)
    } finally {
      observe('hot', (performance.now() - began) / 1000)
    }
  }

  /** Runs all jobs that wait and commits; a fault ends the transaction and is every job's. */
  const settle = () => {
    const batch = takeQueue()
    try {
      const answers = batch.map((job) => attempt(job, driver))
      commit.run()
      for (const tell of answers) tell()
    } catch (fault) {
      // Before the rollback, which can fail too: a job without an answer would wait for ever.
      for (const job of batch) job.refuse(fault)
      if (driver.inTransaction) driver.exec('ROLLBACK')
    }
  }

  const takeQueue = () => {
    const batch = queue
    queue = []
    return batch
  }

  return <T>(run: () => T): Promise<T> =>
    new Promise<T>((answer, refuse) => {
      const request = currentRequest()
      const unlessOver = () => {
        refuseWhenOver(request)
        return run()
      }
      const first = queue.push({ run: unlessOver, answer: answer as (value: unknown) => void, refuse }) === 1
      // The commit belongs to all of them, and not to the request of the first.
      if (first) outsideRequests(() => setImmediate(flush))
    })
}

/** Runs one statement; its answer waits for the commit. A fault that ended the transaction ends the whole batch. */
function attempt(job: Waiting, driver: Database.Database): () => void {
  try {
    const value = job.run()
    return () => job.answer(value)
  } catch (fault) {
    if (!driver.inTransaction) throw fault
    return () => job.refuse(fault)
  }
}

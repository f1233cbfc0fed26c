import type Database from 'better-sqlite3'
import { currentRequest, outsideRequests } from '#lib/queue/current-request'
import { type Observe, timed } from './observe.ts'
import { refuseWhenOver, type WhileLocked } from './trouble.ts'

type Waiting = { run: () => unknown; answer: (value: unknown) => void; refuse: (fault: unknown) => void }

/**
 * Gathers the writes of concurrent requests into one transaction per turn of the event loop, with one fsync for all.
 * Each request is answered after the commit. A statement that violates a constraint fails only its own request.
 */
export function makeSharedCommit(driver: Database.Database, mutex: Mutex, whileLocked: WhileLocked, observe: Observe) {
  let queue: Waiting[] = []
  const begin = driver.prepare('BEGIN IMMEDIATE')
  const commit = driver.prepare('COMMIT')

  const commitAlone = async () => {
    // A free mutex is not acquired: begin and commit run in this turn, so no other transaction can begin in between.
    const release = mutex.isFree() ? undefined : await mutex.acquire()
    try {
      begin.run()
      settle()
    } finally {
      release?.()
    }
  }

  const flush = () =>
    timed(observe, 'hot', () => whileLocked(commitAlone)).catch((fault: unknown) => {
      for (const job of takeQueue()) job.refuse(fault)
    })

  /** Runs the waiting jobs and commits; an error that ends the transaction rejects all of them. */
  const settle = () => {
    const batch = takeQueue()
    try {
      const answers = batch.map((job) => attempt(job, driver))
      commit.run()
      for (const answer of answers) answer()
    } catch (fault) {
      // Rejects the jobs before the rollback, which can throw too; otherwise their promises would never settle.
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
      // Runs outside any request: the commit serves all waiting requests, not only the first one.
      if (first) outsideRequests(() => setImmediate(flush))
    })
}

/**
 * Runs one statement and returns its result, which is delivered after the commit. Throws if the error ended the
 * transaction.
 */
function attempt(job: Waiting, driver: Database.Database): () => void {
  try {
    const value = job.run()
    return () => job.answer(value)
  } catch (fault) {
    if (!driver.inTransaction) throw fault
    return () => job.refuse(fault)
  }
}

/** A mutex with a first-come, first-served queue. */
export function makeMutex() {
  let held = 0
  let last: Promise<void> = Promise.resolve()
  return {
    isFree: () => held === 0,
    acquire(): Promise<() => void> {
      held++
      const before = last
      const { promise, resolve: admitNext } = Promise.withResolvers<void>()
      last = promise
      let released = false
      const release = () => {
        if (released) return
        released = true
        held--
        admitNext()
      }
      return before.then(() => release)
    },
  }
}

export type Mutex = ReturnType<typeof makeMutex>

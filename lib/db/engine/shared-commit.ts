import type Database from 'better-sqlite3'
import { currentRequest, outsideRequests } from '#lib/queue/current-request'
import { type Observe, timed } from './observe.ts'
import { refuseWhenOver, type WhileLocked } from './trouble.ts'

type Waiting = { run: () => unknown; answer: (value: unknown) => void; refuse: (fault: unknown) => void }

/**
 * Gathers the writes of concurrent requests into one transaction per turn of the event loop: one fsync for all of
 * them, each answered after the commit. A statement that fails its constraint refuses only its own caller.
 */
export function makeSharedCommit(driver: Database.Database, mutex: Mutex, whileLocked: WhileLocked, observe: Observe) {
  let queue: Waiting[] = []
  const begin = driver.prepare('BEGIN IMMEDIATE')
  const commit = driver.prepare('COMMIT')

  const commitAlone = async () => {
    // A free mutex is not acquired: all of it runs in this turn, so that no transaction can begin in between.
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
      // Before the rollback, which can fail too: a job that is neither resolved nor rejected would never end.
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
      // The commit belongs to all of the requests, so it must not run as part of the first one.
      if (first) outsideRequests(() => setImmediate(flush))
    })
}

/** Runs one statement and returns its answer, to be given after the commit. Throws if the error ended the transaction. */
function attempt(job: Waiting, driver: Database.Database): () => void {
  try {
    const value = job.run()
    return () => job.answer(value)
  } catch (fault) {
    if (!driver.inTransaction) throw fault
    return () => job.refuse(fault)
  }
}

/** Admits one holder at a time, first come, first served; free when it has neither a holder nor a queue. */
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

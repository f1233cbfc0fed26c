import type Database from 'better-sqlite3'
import type { Observe } from './client.ts'
import type { Turnstile } from './turnstile.ts'

type Waiting = { run: () => unknown; answer: (value: unknown) => void; refuse: (fault: unknown) => void }

/**
 * Gathers the writes of concurrent requests into one transaction per turn of the event loop: one fsync for all of
 * them, each answered after the commit. A statement that fails its constraint refuses only its own caller.
 */
export function makeSharedCommit(driver: Database.Database, door: Turnstile, observe: Observe) {
  let queue: Waiting[] = []
  const begin = driver.prepare('BEGIN IMMEDIATE')
  const commit = driver.prepare('COMMIT')

  const flush = async () => {
    // Nobody inside: run in this very turn, without giving anyone a chance to enter.
    const leave = door.isFree() ? undefined : await door.enter()
    const batch = queue
    queue = []
    const began = performance.now()
    try {
      begin.run()
      const answers = batch.map((job) => attempt(job, driver))
      commit.run()
      for (const tell of answers) tell()
    } catch (fault) {
      if (driver.inTransaction) driver.exec('ROLLBACK')
      for (const job of batch) job.refuse(fault)
    } finally {
      leave?.()
      observe('hot', (performance.now() - began) / 1000)
    }
  }

  return <T>(run: () => T): Promise<T> =>
    new Promise<T>((answer, refuse) => {
      const first = queue.push({ run, answer: answer as (value: unknown) => void, refuse }) === 1
      if (first) setImmediate(flush)
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

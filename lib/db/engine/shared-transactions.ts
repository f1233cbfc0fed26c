import type Database from 'better-sqlite3'
import { currentRequest, outsideRequests } from '#lib/queue/current-request'
import { endOfTurn, lastOfTurn } from '#lib/queue/end-of-turn'
import { type Observe, timed } from './observe.ts'
import { isLocked, refuseWhenOver, type Trouble, type WhileLocked } from './trouble.ts'

/** A mutex with a first-come, first-served queue. */
export type Mutex = { isFree(): boolean; acquire(): Promise<() => void> }

export type Guards = {
  mutex: Mutex
  whileLocked: WhileLocked
  observe: Observe
  trouble: Trouble
  countWrites(writes: number): void
}

type Waiting = { run: () => unknown; answer: (value: unknown) => void; refuse: (fault: unknown) => void }

type Share = <T>(run: () => T) => Promise<T>

/**
 * Gathers the statements of concurrent requests into transactions that they share. `read` runs when no other transaction is
 * open, so that it sees committed rows only. `write` resolves after its commit.
 */
export function shareTransactions(driver: Database.Database, guards: Guards) {
  return { read: makeSharedRead(driver, guards), write: makeSharedCommit(driver, guards) }
}

/** Returns a promise of a statement, and hands it over as a job that is refused if its request is over by then. */
const inJob = <T>(run: () => T, wait: (job: Waiting) => void): Promise<T> =>
  new Promise<T>((answer, refuse) => {
    const request = currentRequest()
    const unlessOver = () => {
      refuseWhenOver(request)
      return run()
    }
    wait({ run: unlessOver, answer: answer as (value: unknown) => void, refuse })
  })

/**
 * Gathers the reads of concurrent requests into one transaction at the end of the turn, because beginning and ending a
 * transaction takes as long as a read (docs/decisions/0083). It begins after the calls of `read` that it serves, so each
 * read sees every change that was committed before its call.
 */
function makeSharedRead(driver: Database.Database, { mutex, whileLocked, trouble }: Guards): Share {
  let queue: Waiting[] = []
  const begin = driver.prepare('BEGIN')
  const rollBack = driver.prepare('ROLLBACK')

  const readAll = async (batch: Waiting[]) => {
    // No await between begin and end, as in a shared commit.
    const release = mutex.isFree() ? undefined : await mutex.acquire()
    try {
      const answers = batch.length === 1 ? batch.map(read) : inTransaction(() => batch.map(read))
      for (const answer of answers) answer()
    } finally {
      release?.()
    }
  }

  /** Ends the transaction by a rollback, because reads leave nothing to commit. An error of the disk may have ended it. */
  const inTransaction = <T>(run: () => T): T => {
    begin.run()
    try {
      return run()
    } finally {
      if (driver.inTransaction) rollBack.run()
    }
  }

  const read = (job: Waiting) => {
    try {
      const value = job.run()
      return () => job.answer(value)
    } catch (fault) {
      // No read of the batch has its answer yet, so `whileLocked` repeats the whole batch.
      if (isLocked(fault)) throw fault
      trouble.note(fault)
      return () => job.refuse(fault)
    }
  }

  const flush = () => {
    const batch = queue
    queue = []
    whileLocked(() => readAll(batch)).catch((fault: unknown) => {
      trouble.note(fault)
      for (const job of batch) job.refuse(fault)
    })
  }

  return (run) =>
    inJob(run, (job) => {
      // Runs outside any request: the transaction serves all waiting requests, not only the first one.
      if (queue.push(job) === 1) outsideRequests(() => void endOfTurn().then(flush))
    })
}

/**
 * Gathers the writes of concurrent requests into one transaction at the end of the turn, with one fsync for all.
 * Each request is answered after the commit. A statement that violates a constraint fails only its own request.
 */
function makeSharedCommit(driver: Database.Database, { mutex, whileLocked, observe, countWrites }: Guards): Share {
  let queue: Waiting[] = []
  const begin = driver.prepare('BEGIN IMMEDIATE')
  const commit = driver.prepare('COMMIT')

  const commitAlone = async () => {
    // A free mutex is not acquired: begin and commit run without an await between them, so no other transaction can
    // begin in between.
    const release = mutex.isFree() ? undefined : await mutex.acquire()
    try {
      begin.run()
      settle()
    } finally {
      release?.()
    }
  }

  const commitWaiting = () => {
    timed(observe, 'hot', () => whileLocked(commitAlone)).catch((fault: unknown) => {
      for (const job of takeQueue()) job.refuse(fault)
    })
  }

  /** Runs the waiting jobs and commits; an error that ends the transaction rejects all of them. */
  const settle = () => {
    const batch = takeQueue()
    try {
      const answers = batch.map((job) => attempt(job, driver))
      commit.run()
      for (const answer of answers) answer()
      countWrites(batch.length)
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

  return (run) =>
    inJob(run, (job) => {
      // Runs outside any request: the commit serves all waiting requests, not only the first one.
      if (queue.push(job) === 1) outsideRequests(() => void lastOfTurn().then(commitWaiting))
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

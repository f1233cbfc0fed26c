import { fdatasyncSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

/**
 * The start parameters of the thread. `descriptor` is the database, opened by the main thread: a thread that closed one would
 * drop the process's locks on the file. `words` are the number of requests, and whether the thread has to end.
 */
export type SetUp = { file: string; descriptor: number; words: Int32Array }

const { file, descriptor, words } = workerData as SetUp
const driver = new Sqlite(file, { fileMustExist: true })

while (Atomics.load(words, 1) === 0) {
  const seen = Atomics.load(words, 0)
  try {
    driver.pragma('wal_checkpoint(PASSIVE)')
    // SQLite leaves the flush to the next checkpoint if a commit came meanwhile.
    fdatasyncSync(descriptor)
  } catch {
    // The disk is full or failing. The log keeps the pages, and the next request tries again.
  }
  Atomics.wait(words, 0, seen)
}
driver.close()

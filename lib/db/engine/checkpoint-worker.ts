import { fdatasyncSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

/**
 * The start parameters of the thread. `descriptor` is the database, opened by the main thread: a thread that closed one would
 * drop the process's locks on the file. The two arrays hold one number each, which both threads share: how many checkpoints
 * were requested, and 1 once the thread has to end.
 */
export type SetUp = { file: string; descriptor: number; requests: Int32Array; ending: Int32Array }

const { file, descriptor, requests, ending } = workerData as SetUp
const driver = new Sqlite(file, { fileMustExist: true })

for (;;) {
  // Read before `ending`: a later request to end also changes this number, so the wait below ends at once.
  const seen = Atomics.load(requests, 0)
  if (Atomics.load(ending, 0) === 1) break
  driver.pragma('wal_checkpoint(PASSIVE)')
  // SQLite leaves the flush to the next checkpoint if a commit came meanwhile.
  fdatasyncSync(descriptor)
  Atomics.wait(requests, 0, seen)
}
driver.close()

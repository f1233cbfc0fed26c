import { fdatasyncSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

/**
 * The start parameters of the thread. The main thread opens and closes `descriptor`, which is the database file: closing a
 * descriptor drops all locks of the process on the file (POSIX). Each array holds one number that both threads share:
 * `requests` counts the requested checkpoints, and `ending` is 1 once the thread has to end.
 */
export type SetUp = { file: string; descriptor: number; requests: Int32Array; ending: Int32Array }

const { file, descriptor, requests, ending } = workerData as SetUp
const driver = new Sqlite(file, { fileMustExist: true })

for (;;) {
  // Read before `ending`: The main thread sets both numbers, so the wait below ends at once if it does so after this line.
  const seen = Atomics.load(requests, 0)
  if (Atomics.load(ending, 0) === 1) break
  driver.pragma('wal_checkpoint(PASSIVE)')
  // SQLite flushes the database only at the end of a complete checkpoint. A commit during the checkpoint makes it incomplete.
  fdatasyncSync(descriptor)
  Atomics.wait(requests, 0, seen)
}
driver.close()

import { argon2Sync } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { Derivation, Derived } from './derive.ts'

lowerPriority()
parentPort?.on('message', (work: Derivation[]) => parentPort?.postMessage(derive(work)))

function derive(work: Derivation[]): Derived {
  try {
    return { keys: work.map((one) => argon2Sync('argon2id', one)) }
  } catch (fault) {
    return { fault: String(fault) }
  }
}

/** Linux has a priority for each thread, and 0 names the calling one; elsewhere it would be the whole process's. */
function lowerPriority() {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, 5)
  } catch {
    // A sandbox may forbid it: the thread then competes as an equal.
  }
}

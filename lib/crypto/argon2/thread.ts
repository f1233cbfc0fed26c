import { argon2Sync } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** One argon2id derivation, as `crypto.argon2Sync` takes it. A thread receives a list of them. */
export type Derivation = {
  message: string
  nonce: Uint8Array
  memory: number
  passes: number
  parallelism: number
  tagLength: number
}

/** The answer of a thread: one key for each derivation, or the error. */
export type Derived = { keys: Uint8Array[] } | { fault: string }

lowerPriority()
parentPort?.on('message', (work: Derivation[]) => parentPort?.postMessage(derive(work)))

function derive(work: Derivation[]): Derived {
  try {
    return { keys: work.map((one) => argon2Sync('argon2id', one)) }
  } catch (fault) {
    return { fault: String(fault) }
  }
}

/**
 * Lowers the priority of this thread. Only Linux has a priority for each thread (0 is the calling one); elsewhere the
 * priority belongs to the whole process and is left unchanged.
 */
function lowerPriority() {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, 5)
  } catch {
    // A sandbox may forbid this; the thread then keeps its priority.
  }
}

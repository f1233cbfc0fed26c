import type { Worker } from 'node:worker_threads'
import { openThread } from '#lib/crypto/argon2/derive'
import type { Derivation } from '#lib/crypto/argon2/thread'

/**
 * Opens a thread that derives keys of the usual cost at a hundredth of it. Most of the processor time of the tests
 * went into passwords. `password-hash.test.ts` and the browser tests hash at the full cost.
 */
export function openQuickThread(): Worker {
  const thread = openThread()
  const post = thread.postMessage.bind(thread)
  thread.postMessage = (work: Derivation[]) => post(work.map(quick))
  return thread
}

const quick = (one: Derivation): Derivation =>
  one.memory === 19_456 && one.passes === 2 ? { ...one, memory: 256, passes: 1 } : one

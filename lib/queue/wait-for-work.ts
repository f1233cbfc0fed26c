import { tryToCollectGarbage } from './collect-garbage.ts'

/** Milliseconds without work after which a thread is at rest. */
export const rest = 10_000

/** Blocks the calling thread until the shared number is no longer `seen`. The thread collects its garbage once it is at rest. */
export async function waitForWork(number: Int32Array, seen: number, patience = rest): Promise<void> {
  if (Atomics.wait(number, 0, seen, patience) !== 'timed-out') return
  await tryToCollectGarbage()
  Atomics.wait(number, 0, seen)
}

import { tryToCollectGarbage } from './collect-garbage.ts'

/** Milliseconds without work after which a thread collects its garbage. */
export const restDelay = 10_000

/**
 * Waits until the shared number differs from `seen`. Blocks the thread, except that its event loop runs during one collection
 * of garbage, after `patience` milliseconds without work.
 */
export async function waitForWork(number: Int32Array, seen: number, patience = restDelay): Promise<void> {
  if (Atomics.wait(number, 0, seen, patience) !== 'timed-out') return
  await tryToCollectGarbage()
  Atomics.wait(number, 0, seen)
}

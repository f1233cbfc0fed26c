import { Session } from 'node:inspector/promises'

/**
 * Runs a full garbage collection in this thread, which also returns unused heap to the system. V8 collects only while
 * objects are allocated, so a thread at rest would keep its garbage. Blocks the thread while it runs.
 */
export async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}

/** Like `collectGarbage`, but ignores errors: a failed collection only costs memory. */
export const tryToCollectGarbage = (): Promise<void> => collectGarbage().catch(() => undefined)

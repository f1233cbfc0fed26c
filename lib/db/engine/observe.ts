/** Receives the duration of a statement in seconds, waiting included, and its path: Prisma or the hot path. */
export type Observe = (path: 'prisma' | 'hot', seconds: number) => void

/** Runs a statement and reports its duration, on success and on error. */
export async function timed<T>(observe: Observe, path: Parameters<Observe>[0], run: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await run()
  } finally {
    observe(path, (performance.now() - began) / 1000)
  }
}

import { type JobStore, leaseSeconds } from '#lib/db/jobs/job-store'

/** Milliseconds between two renewals; of a lease, two may fail. */
const every = (leaseSeconds * 1000) / 3

/** Renews a lease that was just claimed, until `stop`. */
export function holdLease(store: Pick<JobStore, 'renew'>, name: string, holder: string) {
  let renewedAt = performance.now()
  let isLost = false
  const timer = setInterval(async () => {
    const asked = performance.now()
    try {
      if (await store.renew(name, holder)) renewedAt = asked
      else isLost = true
    } catch {
      // While the database is away the lease grows old, and the run ends before another process may take over.
    }
  }, every)
  timer.unref()
  return {
    /**
     * Returns whether the lease is still held. A process that was suspended finds it too old; the monotonic clock has
     * moved on without it.
     */
    isHeld: () => !isLost && performance.now() - renewedAt < leaseSeconds * 1000 - every / 2,
    stop: () => clearInterval(timer),
  }
}

import { isUnavailable, refusesWrites } from './unavailable.ts'

/** Records when the database was last unavailable, for answers and health checks that do not see the error itself. */
export function makeTrouble(now = () => performance.now()) {
  let [last, lastRefusedWrite] = [-Infinity, -Infinity]
  const note = (fault: unknown) => {
    if (isUnavailable(fault)) last = now()
    if (refusesWrites(fault)) lastRefusedWrite = now()
  }
  return {
    note,
    /** Runs one statement and records its error. */
    async watch<T>(run: () => Promise<T>): Promise<T> {
      try {
        return await run()
      } catch (fault) {
        note(fault)
        throw fault
      }
    },
    /** Returns whether a statement has failed since a moment of performance.now(). */
    since: (moment: number) => last >= moment,
    /** Returns whether a write failed in the last ten seconds; on a full disk a small write may pass where a larger one fails. */
    refusesWrites: () => now() - lastRefusedWrite < 10_000,
  }
}

export type Trouble = ReturnType<typeof makeTrouble>

import { isUnavailable, refusesWrites } from './unavailable.ts'

/** Remembers when the database was last unavailable, for answers and health checks that never see the fault. */
export function makeTrouble(now = () => performance.now()) {
  let [last, lastRefusedWrite] = [-Infinity, -Infinity]
  const note = (fault: unknown) => {
    if (isUnavailable(fault)) last = now()
    if (refusesWrites(fault)) lastRefusedWrite = now()
  }
  return {
    note,
    /** Runs one statement and notes its fault. */
    async watch<T>(run: () => Promise<T>): Promise<T> {
      try {
        return await run()
      } catch (fault) {
        note(fault)
        throw fault
      }
    },
    /** Whether a statement failed since that moment, a value of performance.now(). */
    since: (moment: number) => last >= moment,
    /** Whether a write was refused in the last ten seconds: a small one may pass where a larger one does not. */
    refusesWrites: () => now() - lastRefusedWrite < 10_000,
  }
}

export type Trouble = ReturnType<typeof makeTrouble>

import { attemptLimiter, networkLimiter } from './attempt-limiter.ts'
import type { AttemptStore } from './attempts.ts'

/** How often people may have secrets hashed, counted before the work: each hash costs about 30 ms of a core. */
export const hashLimits = (attempts: AttemptStore) => ({
  /** New passwords. */
  passwords: makeLimit(attempts, { name: 'new-password', ofPerson: 10, ofNetwork: 60 }),
  /**
   * New passwords after a recovery, by person and browser. The browser gave the proof: changes that somebody else made, to
   * this account or in this network, do not keep its owner out.
   */
  recoveries: attemptLimiter(attempts, { name: 'new-password-after', points: 10, seconds: 3600 }),
  /** New lists of recovery codes, each of ten hashes. */
  codes: makeLimit(attempts, { name: 'new-codes', ofPerson: 5, ofNetwork: 30 }),
})

type Limit = { name: string; ofPerson: number; ofNetwork: number }

function makeLimit(attempts: AttemptStore, { name, ofPerson, ofNetwork }: Limit) {
  const people = attemptLimiter(attempts, { name: `${name}-of`, points: ofPerson, seconds: 3600 })
  const networks = networkLimiter(attempts, { name: `${name}-from`, points: ofNetwork, seconds: 3600 })
  return {
    /** Counts one; the seconds to wait when the person or the network had too many within an hour, else 0. */
    take: async (personId: string, address: string): Promise<number> =>
      (await people.fail(personId)) || networks.fail(address),
  }
}

import { attemptLimiter, networkLimiter } from './attempt-limiter.ts'
import type { AttemptStore } from './attempts.ts'

const hour = 3600

/** How often codes may be asked for and guessed, beyond what holds for one account: nobody floods an inbox through us. */
export const emailLimits = (attempts: AttemptStore) => ({
  /** Letters with codes that one client address may cause. */
  lettersFrom: networkLimiter(attempts, { name: 'letters-from', points: 60, seconds: hour }),
  /** Letters with codes that bind or confirm one inbox, whoever asks for them. */
  lettersTo: attemptLimiter(attempts, { name: 'letters-to', points: 8, seconds: hour }),
  /** Letters to recover one account: with five guesses each, a day of them is no way in. */
  recoveries: attemptLimiter(attempts, { name: 'recoveries', points: 30, seconds: 24 * hour }),
  /** Of these, what one network may ask for: the rest is left for its owner. */
  recoveriesFrom: networkLimiter(attempts, { name: 'recoveries-from', points: 10, seconds: 24 * hour }),
  /** Test messages through somebody's own relay addresses. */
  tests: attemptLimiter(attempts, { name: 'relay-tests', points: 5, seconds: hour }),
  /** Wrong recovery codes from one client address. */
  guessesFrom: networkLimiter(attempts, { name: 'recovery-guesses', points: 30, seconds: hour }),
})

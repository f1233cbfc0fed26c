import { attemptLimiter } from './attempt-limiter.ts'
import type { AttemptStore } from './attempts.ts'

const hour = 3600

/** How often mail may be asked for that carries no code. */
export const emailLimits = (attempts: AttemptStore) => ({
  /** Test messages through somebody's own relay addresses. */
  tests: attemptLimiter(attempts, { name: 'relay-tests', points: 5, seconds: hour }),
})

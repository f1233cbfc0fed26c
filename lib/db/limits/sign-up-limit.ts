import { networkLimiter } from './attempt-limiter.ts'
import type { AttemptStore } from './attempts.ts'

/** How often one address may sign up, and ask about names: more than a classroom does, fewer than a robot wants. */
export const signUpLimit = (attempts: AttemptStore) => ({
  accounts: networkLimiter(attempts, { name: 'sign-up', points: 30, seconds: 3600 }),
  names: networkLimiter(attempts, { name: 'name-check', points: 120, seconds: 600 }),
})

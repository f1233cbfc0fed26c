import { attemptLimiter } from './attempt-limiter.ts'
import type { Prisma } from './client.ts'

/** How often one address may sign up, and ask about names: more than a classroom does, fewer than a robot wants. */
export const signUpLimit = (prisma: Prisma) => ({
  accounts: attemptLimiter(prisma, { name: 'sign-up', points: 30, seconds: 3600 }),
  names: attemptLimiter(prisma, { name: 'name-check', points: 120, seconds: 600 }),
})

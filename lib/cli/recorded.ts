import type { Recorded } from '#lib/account/activity/recorded'
import type { Call } from './command.ts'

/** Returns the line of the operators' record for a command. A command has neither an operator's name nor a reason. */
export const recorded = ({ now, random }: Pick<Call, 'now' | 'random'>): Recorded => ({
  id: random(16).toString('base64url'),
  at: now,
  actor: '',
  reason: '',
})

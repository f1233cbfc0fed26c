import { randomUUID } from 'node:crypto'
import type { Recorded } from '#lib/account/activity/recorded'

/** Returns a line of the operators' record, as a command makes it. */
export const recordedAt = (at: Date): Recorded => ({ id: randomUUID(), at, actor: '', reason: '' })

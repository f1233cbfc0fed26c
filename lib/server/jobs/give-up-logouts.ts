import type { Context } from '#lib/server/compose/context'
import { inBatches } from './in-batches.ts'

/** Gives up overdue logout tokens in batches; other requests run between batches (design §4). */
export const giveUpLogouts = ({ logouts, database }: Pick<Context, 'logouts' | 'database'>): Promise<void> =>
  inBatches(async (rows) => {
    const began = performance.now()
    const count = await logouts.giveUp(rows)
    // PostgreSQL is another process: waiting for it does not block the event loop.
    return { isLast: count < rows, heldMs: database.kind === 'sqlite' ? performance.now() - began : 0 }
  })

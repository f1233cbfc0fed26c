import type { Context } from '#lib/server/compose/context'
import { inBatches } from './in-batches.ts'

/**
 * Gives up overdue logout tokens and security events in batches, and returns their number; other requests run between
 * batches (design §4).
 */
export async function giveUpDeliveries(
  { deliveries, database }: Pick<Context, 'deliveries' | 'database'>,
  goOn = () => true,
): Promise<number> {
  let total = 0
  for (const giveUp of [deliveries.giveUpLogouts, deliveries.giveUpEvents])
    await inBatches(
      async (rows) => {
        const began = performance.now()
        const count = await giveUp(rows)
        total += count
        // PostgreSQL is another process: waiting for it does not block the event loop.
        return { isLast: count < rows, heldMs: database.kind === 'sqlite' ? performance.now() - began : 0 }
      },
      { goOn },
    )
  return total
}

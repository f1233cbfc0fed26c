import type { Context } from '#lib/context'
import { goTo, pathWith } from './answer.ts'
import { carry, type Destination } from './destination.ts'
import { pendingCookie, type Reset } from './pending.ts'

/**
 * After a right password, where the account has an authenticator app: its code is asked for before any session begins,
 * and before a password that was forgotten gives way to another.
 */
export async function askSecondFactor(
  context: Context,
  destination: Destination,
  personId: string,
  reset?: Reset,
): Promise<Response> {
  const pending = await pendingCookie(context, { personId, ...(reset && { reset }) })
  return goTo(pathWith('/two-factor', carry(destination)), [pending])
}

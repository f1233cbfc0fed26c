import { carry, type Destination } from '#lib/flow/destination'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Context } from '#lib/server/compose/context'
import { pendingCookies, type Reset } from './pending.ts'

/**
 * After a right password, where the account has an authenticator app: its code is asked for before any session begins,
 * and before a password that was forgotten gives way to another.
 */
export async function askSecondFactor(
  context: Context,
  request: Request,
  destination: Destination,
  personId: string,
  reset?: Reset,
): Promise<Response> {
  const cookies = await pendingCookies(context, request, { personId, ...(reset && { reset }) })
  return goTo(pathWith('/two-factor', carry(destination)), cookies)
}

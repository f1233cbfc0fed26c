import type { Context } from '#lib/context'
import { goTo, pathWith } from './answer.ts'
import { carry, type Destination } from './destination.ts'
import { pendingCookie } from './pending.ts'

/** After a right password, where the account has an authenticator app: its code is asked for before any session begins. */
export async function askSecondFactor(context: Context, destination: Destination, personId: string): Promise<Response> {
  return goTo(pathWith('/two-factor', carry(destination)), [await pendingCookie(context, { personId, amr: ['pwd'] })])
}

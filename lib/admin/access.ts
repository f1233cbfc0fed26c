import { isLeaving } from '#lib/account/data/deletion'
import type { Current } from '#lib/account/signed-in/session'
import { achievedClass } from '#lib/oauth/authorize/context-class'
import type { AdminContext } from './context.ts'

/**
 * The access of a person to the operators' pages. `none`: every page answers 404. `one factor`: an operator whose session
 * was opened with one factor; a page says how to add or use a second one.
 */
export type Access = 'none' | 'one factor' | 'granted'

/** Decides about every page and every act of operators. */
export async function accessOf(
  { isAdminNetwork, operators }: Pick<AdminContext, 'isAdminNetwork' | 'operators'>,
  { person, session }: Current,
  address: string,
): Promise<Access> {
  // An operator whose account is about to be deleted does not count as one who can act, and so may not act.
  if (!isAdminNetwork(address) || isLeaving(person) || !(await operators.isOperator(person.id))) return 'none'
  return achievedClass(session.amr) === 'aal2' ? 'granted' : 'one factor'
}

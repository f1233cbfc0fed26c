import { type ActivityKind, originOf } from '#lib/account/activity/activity'
import { describeEvent } from '#lib/account/activity/describe-event'
import type { AccountContext } from '#lib/account/context'
import type { Person } from '#lib/account/signed-in/session'
import type { FactorChange } from '#lib/mail/letters'

/** A change that a person makes to their account. */
type Change = { context: AccountContext; request: Request; person: Owner }
type Owner = Pick<Person, 'id' | 'email' | 'username' | 'locale'>

/** Records a change in the activity of the account. */
export const noteActivity = (
  { context, request, person }: Change,
  kind: ActivityKind,
  detail: Record<string, string> = {},
) => context.activity.record(person.id, { at: context.now(), kind, detail, ...originOf(request) })

/** Records a change of a passkey or second factor, and writes a letter about it. */
export async function notifyFactorChange(change: Change, kind: FactorChange, detail: Record<string, string> = {}) {
  const { context, request, person } = change
  await noteActivity(change, kind, detail)
  void context.letters.factorChanged({ ...ownerOf(person), ...describeEvent(context, request), change: kind })
}

/** Records a new password, and writes a letter about it. */
export async function notifyPasswordChange(change: Change) {
  const { context, request, person } = change
  await noteActivity(change, 'password_changed')
  void context.letters.passwordChanged({ ...ownerOf(person), ...describeEvent(context, request) })
}

/** Returns the recipient of letters about an account. */
export const ownerOf = ({ email, username, locale }: Omit<Owner, 'id'>) => ({ to: email, username, locale })

import { type ActivityKind, originOf } from '#lib/account/activity/activity'
import { happening } from '#lib/account/activity/happening'
import type { Person } from '#lib/account/signed-in/session'
import type { FactorChange } from '#lib/mail/letters'
import type { Act } from './account-form.ts'

/** What was done to an account goes into its activity. */
export const note = ({ context, request, person }: Noting, kind: ActivityKind, detail: Record<string, string> = {}) =>
  context.activity.record(person.id, { at: context.now(), kind, detail, ...originOf(request) })

/** A changed second factor or passkey: noted, and told by letter. */
export async function tellFactor(act: Noting, change: FactorChange, detail: Record<string, string> = {}) {
  await note(act, change, detail)
  void act.context.letters.factorChanged({ ...ownerOf(act.person), ...happening(act.context, act.request), change })
}

/** A changed password: noted, and told by letter. */
export async function tellPassword(act: Noting) {
  await note(act, 'password_changed')
  void act.context.letters.passwordChanged({ ...ownerOf(act.person), ...happening(act.context, act.request) })
}

/** Who is written to, where and in which language. */
export const ownerOf = ({ email, username, locale }: Person) => ({ to: email, username, locale })

type Noting = Pick<Act, 'context' | 'request' | 'person'>

import type { OwnAlias } from './store.ts'

/** Whether mail to a relay address is forwarded, and the first reason why not (relay §4). */
export type AliasState =
  | { kind: 'on' }
  | { kind: 'off'; since: Date }
  | { kind: 'closed'; why: ClosedFor }
  | { kind: 'unbound' }
  | { kind: 'paused' }

type ClosedFor = 'app_gone' | 'app_disabled' | 'leaving' | 'sharing_stopped' | 'email_not_shared'
type Owner = { email: string | undefined; mailPausedAt: Date | undefined; deleteAfter: Date | undefined }

/** Returns the state of a relay address. Giving the app the regular address does not close the relay address. */
export function aliasState({ app, emailChoice, disabledAt }: OwnAlias, owner: Owner): AliasState {
  if (!app) return { kind: 'closed', why: 'app_gone' }
  if (owner.deleteAfter) return { kind: 'closed', why: 'leaving' }
  if (emailChoice === undefined) return { kind: 'closed', why: 'sharing_stopped' }
  if (emailChoice === 'none') return { kind: 'closed', why: 'email_not_shared' }
  if (app.disabled) return { kind: 'closed', why: 'app_disabled' }
  if (disabledAt) return { kind: 'off', since: disabledAt }
  if (owner.email === undefined) return { kind: 'unbound' }
  return { kind: owner.mailPausedAt ? 'paused' : 'on' }
}

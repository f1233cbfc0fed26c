import type { OwnAlias } from '#lib/relay/store'

/** What becomes of mail to a relay address, and why: the first reason that holds (relay §4). */
export type AliasState =
  | { kind: 'on' }
  | { kind: 'off'; since: Date }
  | { kind: 'closed'; why: ClosedFor }
  | { kind: 'unbound' }
  | { kind: 'paused' }

type ClosedFor = 'app_gone' | 'app_disabled' | 'leaving' | 'sharing_stopped' | 'email_not_shared'
type Owner = { email: string | undefined; mailPausedAt: Date | undefined; deleteAfter: Date | undefined }

/**
 * How a relay address stands. An app that is given the regular address now may still write to the hidden one it was
 * given before: only an end of sharing closes that.
 */
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

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
export function aliasState(alias: OwnAlias, owner: Owner): AliasState {
  const { byHand, disabledAt } = alias
  const why = byHand ? undefined : closedByApp(alias)
  if (why === 'app_gone') return { kind: 'closed', why }
  if (owner.deleteAfter) return { kind: 'closed', why: 'leaving' }
  if (why) return { kind: 'closed', why }
  if (disabledAt) return { kind: 'off', since: disabledAt }
  if (owner.email === undefined) return { kind: 'unbound' }
  return { kind: owner.mailPausedAt ? 'paused' : 'on' }
}

/** An address made by hand has no app, and is never closed for one. */
function closedByApp({ app, emailChoice }: OwnAlias): ClosedFor | undefined {
  if (!app) return 'app_gone'
  if (emailChoice === undefined) return 'sharing_stopped'
  if (emailChoice === 'none') return 'email_not_shared'
  return app.disabled ? 'app_disabled' : undefined
}

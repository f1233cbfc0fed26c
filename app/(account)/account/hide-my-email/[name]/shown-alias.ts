import type { AliasState } from '#lib/account/hide-my-email/alias-state'
import type { OwnAlias } from '#lib/account/hide-my-email/store'

/** Whether an address would stay shut when its owner shares with the app again, because it was switched off as well. */
export const waitsSwitchedOff = ({ alias: { app, disabledAt }, state }: ShownAlias): boolean =>
  app !== undefined &&
  disabledAt !== undefined &&
  state.kind === 'closed' &&
  (state.why === 'sharing_stopped' || state.why === 'email_not_shared')

/** What the cards of a relay address's page are about. */
export type ShownAlias = {
  /** The public id of the session this page was made for. */
  session: string
  alias: OwnAlias
  state: AliasState
  /** The bound address; empty when there is none. */
  email: string
}

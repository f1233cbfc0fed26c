import type { AliasState } from '#lib/account/hide-my-email/alias-state'
import type { OwnAlias } from '#lib/account/hide-my-email/store'

/**
 * Returns whether the owner switched an address off that is also closed because sharing stopped. When sharing starts
 * again, the address stays off.
 */
export const waitsSwitchedOff = ({ alias: { app, disabledAt }, state }: Pick<ShownAlias, 'alias' | 'state'>): boolean =>
  app !== undefined &&
  disabledAt !== undefined &&
  state.kind === 'closed' &&
  (state.why === 'sharing_stopped' || state.why === 'email_not_shared')

/** The properties of the cards on the page of a relay address. */
export type ShownAlias = {
  /** The public id of the session this page was made for. */
  session: string
  alias: OwnAlias
  state: AliasState
  /** The bound address; empty when there is none. */
  email: string
}

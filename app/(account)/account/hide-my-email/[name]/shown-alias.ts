import type { AliasState } from '#lib/account/hide-my-email/alias-state'
import type { OwnAlias } from '#lib/account/hide-my-email/store'

/**
 * Returns whether an address that is closed because sharing stopped was also switched off; when sharing starts again,
 * it is off, not on.
 */
export const waitsSwitchedOff = ({ alias: { app, disabledAt }, state }: ShownAlias): boolean =>
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

import type { AliasState } from '#lib/relay/address/alias-state'
import type { OwnAlias } from '#lib/relay/store'

/** What the cards of a relay address's page are about. */
export type ShownAlias = {
  /** The public id of the session this page was made for. */
  session: string
  alias: OwnAlias
  state: AliasState
  /** The bound address; empty when there is none. */
  email: string
}

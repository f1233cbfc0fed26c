import { type Outbound, OutboundFault } from '#lib/http/outbound'
import type { OAuthContext } from '#lib/oauth/context'
import type { Attempted, Deliveries, DeliveryStore, Failure } from '#lib/queue/deliveries'
import { type LogoutClient, mintLogoutToken } from './logout-token.ts'

/** A logout token that an app must receive; `version` changes with every update of the row. */
export type LogoutDelivery = {
  appId: string
  sessionId: string
  subject: string
  version: number
  attempts: number
  createdAt: Date
  until: Date
}

/** Stores the logout tokens that are queued; a settled one is removed. Disabled apps receive them too. */
export type LogoutStore = DeliveryStore<LogoutClient, LogoutDelivery>

type Needs = Pick<OAuthContext, 'issuer' | 'now' | 'random' | 'keys'> & {
  store: LogoutStore
  outbound: Pick<Outbound, 'postForm'>
  attempted(result: Attempted): void
}

/** Returns the logout tokens as a kind of delivery of the queue. */
export const logoutDeliveries = (needs: Needs): Deliveries<LogoutClient, LogoutDelivery> => ({
  kind: 'logout',
  store: needs.store,
  attempted: needs.attempted,
  addressOf: ({ registration }) => registration.backchannel_logout_uri || undefined,
  send: (app, delivery, address) => send(needs, app, delivery, address),
})

/**
 * Sends a new token for this attempt as the only form field (Back-Channel Logout 1.0 §2.5). Success is 200, or 204,
 * which some frameworks send instead (§2.8).
 */
async function send(
  needs: Needs,
  app: LogoutClient,
  delivery: LogoutDelivery,
  address: string,
): Promise<Failure | undefined> {
  const logout_token = await mintLogoutToken(needs, app, delivery)
  try {
    const status = await needs.outbound.postForm(address, { logout_token })
    return status === 200 || status === 204 ? undefined : { reason: `the app answered ${status}`, isUnreachable: false }
  } catch (fault) {
    if (!(fault instanceof OutboundFault)) throw fault
    return { reason: fault.message, isUnreachable: true }
  }
}

import { type Outbound, OutboundFault } from '#lib/http/outbound'
import type { OAuthContext } from '#lib/oauth/context'
import type { LogoutClient } from '#lib/oauth/logout/logout-token'
import type { Attempted, Deliveries, DeliveryStore, Failure } from '#lib/queue/deliveries'
import { mintSecurityEvent, type SecurityEvent } from './security-event-token.ts'

/** An event that waits; `version` changes with every update of the row. */
export type EventDelivery = SecurityEvent & { appId: string; version: number; attempts: number; until: Date }

/** An app with the address that receives its events. */
export type EventTarget = LogoutClient & { address: string; sealedAuthorization: string }

/** Stores the queued events; a settled one stays for a replay. Disabled apps receive events too, paused receivers none. */
export type EventDeliveryStore = DeliveryStore<EventTarget, EventDelivery>

type Needs = Pick<OAuthContext, 'issuer' | 'keys'> & {
  store: EventDeliveryStore
  outbound: Pick<Outbound, 'postToken'>
  /** Opens the value of the header Authorization; undefined if there is none. */
  openAuthorization(appId: string, sealed: string): string | undefined
  attempted(result: Attempted): void
}

/** Returns the security events as a kind of delivery of the queue. */
export const eventDeliveries = (needs: Needs): Deliveries<EventTarget, EventDelivery> => ({
  kind: 'event',
  store: needs.store,
  attempted: needs.attempted,
  addressOf: ({ address }) => address,
  send: (app, event) => send(needs, app, event),
})

/** Success is 202 (RFC 8935 §2.2), or 200 or 204, which some frameworks send instead. */
const accepted = [200, 202, 204]

/** Posts the event (RFC 8935 §2.1). A 400 (§2.3) ends this event, and not those behind it; any other failure is retried. */
async function send(needs: Needs, app: EventTarget, event: EventDelivery): Promise<Failure | undefined> {
  const authorization = needs.openAuthorization(app.id, app.sealedAuthorization)
  const token = await mintSecurityEvent(needs, app, event)
  try {
    const answer = await needs.outbound.postToken(app.address, {
      type: 'application/secevent+jwt',
      token,
      authorization,
    })
    if (accepted.includes(answer.status)) return undefined
    const reason = `the receiver answered ${answer.status}`
    if (answer.status !== 400) return { reason, isUnreachable: false }
    return { reason: readError(answer.body) ?? reason, isUnreachable: false, isRejected: true }
  } catch (fault) {
    if (!(fault instanceof OutboundFault)) throw fault
    return { reason: fault.message, isUnreachable: true }
  }
}

/**
 * Returns the error code and description of an answer (RFC 8935 §2.3), cut and in one line: the receiver may be hostile.
 * Returns undefined for any other body.
 */
function readError(body: string): string | undefined {
  let error: unknown
  try {
    error = JSON.parse(body)
  } catch {
    return undefined
  }
  if (typeof error !== 'object' || error === null || !('err' in error)) return undefined
  if (typeof error.err !== 'string' || !/^[\w-]{1,64}$/.test(error.err)) return undefined
  const description = 'description' in error && typeof error.description === 'string' ? error.description : ''
  const line = description
    .slice(0, 1000)
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
  return line === '' ? error.err : `${error.err}: ${[...line].slice(0, 200).join('')}`
}

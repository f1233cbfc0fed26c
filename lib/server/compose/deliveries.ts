import { eventDeliveryStore } from '#lib/db/events/event-delivery-store'
import { deliveryStore } from '#lib/db/logout/delivery-store'
import { type Outbound, openOutbound } from '#lib/http/outbound'
import type { OAuthContext } from '#lib/oauth/context'
import { openAuthorization } from '#lib/oauth/events/receiver-authorization'
import { eventDeliveries } from '#lib/oauth/events/send-security-event'
import { logoutDeliveries } from '#lib/oauth/logout/send-logout-token'
import { outsideRequests } from '#lib/queue/current-request'
import { type Attempted, findLanes, giveUpOverdue } from '#lib/queue/deliveries'
import { openDeliveryQueue } from '#lib/queue/delivery-queue'
import type { RecordFailure } from './failures.ts'
import type { Parts } from './parts.ts'

/** Sends logout tokens and security events to apps. */
export type Deliveries = {
  /** Starts the due deliveries soon, outside the request that queued them. */
  nudge(): void
  /** Gives up at most `most` logout tokens that are overdue, and returns their number. */
  giveUpLogouts(most: number): Promise<number>
  /** Gives up at most `most` security events that are overdue, and returns their number. */
  giveUpEvents(most: number): Promise<number>
  /** Starts no more deliveries, and waits for those in flight. */
  close(): Promise<void>
}

/** Opens the client that sends all requests to addresses that apps register. */
export const composeOutbound = ({ config, resolver }: Pick<Parts, 'config' | 'resolver'>): Outbound =>
  openOutbound({ evaluation: config.evaluation, allow: config.outboundAllow, resolver })

/**
 * Composes the one queue of logout tokens and security events, so that the limit of requests to a host counts both. A fault
 * is logged, and the next run tries again.
 */
export function composeDeliveries(
  parts: Parts,
  oauth: OAuthContext,
  outbound: Outbound,
  record: RecordFailure,
): Deliveries {
  const { database, log, secrets, now } = parts
  const notes = notesOf(parts, record)
  const logouts = logoutDeliveries({
    ...oauth,
    store: deliveryStore(database.prisma),
    outbound,
    attempted: notes.logout,
  })
  const events = eventDeliveries({
    ...oauth,
    store: eventDeliveryStore(database.prisma),
    outbound,
    openAuthorization: (appId, sealed) => openAuthorization({ secrets, now }, appId, sealed),
    attempted: notes.event,
  })
  const queue = openDeliveryQueue({
    now,
    findLanes: async () => [...(await findLanes(logouts, now)), ...(await findLanes(events, now))],
    fault: (err) => log.error({ err }, 'deliveries to apps could not be sent'),
  })
  return {
    nudge: () => outsideRequests(() => void setImmediate(queue.run)),
    giveUpLogouts: (most) => giveUpOverdue(logouts, now(), most),
    giveUpEvents: (most) => giveUpOverdue(events, now(), most),
    close: queue.close,
  }
}

/** Counts each result, and shows the developers of the app why one failed (design §9). */
function notesOf({ log, metrics }: Parts, record: RecordFailure) {
  return {
    logout({ appId, outcome, reason, attempts, count }: Attempted) {
      metrics.logouts.inc({ outcome }, count)
      if (outcome === 'delivered') return
      const [endpoint, code] = ['backchannel_logout', outcome]
      log.info({ endpoint, client: appId, code, reason, count }, 'refused')
      record({ appId, endpoint, code, reason, detail: { attempts } }, count)
    },
    /** The page of the receiver shows each event with its last refusal, so that no failure is recorded beside it. */
    event({ appId, outcome, count }: Attempted) {
      metrics.events.inc({ outcome }, count)
      if (outcome === 'delivered') return
      log.info({ endpoint: 'security_events', client: appId, code: outcome, count }, 'refused')
    },
  }
}

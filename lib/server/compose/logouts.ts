import { deliveryStore } from '#lib/db/logout/delivery-store'
import { type Outbound, openOutbound } from '#lib/http/outbound'
import type { OAuthContext } from '#lib/oauth/context'
import { type Attempted, openLogoutQueue } from '#lib/oauth/logout/deliver'
import { outsideRequests } from '#lib/queue/current-request'
import type { RecordFailure } from './failures.ts'
import type { Parts } from './parts.ts'

/** Sends logout tokens to apps. */
export type Logouts = {
  /** Starts the due deliveries soon, outside the request that queued them. */
  nudge(): void
  /** Gives up at most `most` deliveries that are overdue, and returns their number. */
  giveUp(most: number): Promise<number>
  /** Starts no more deliveries, and waits for those in flight. */
  close(): Promise<void>
}

/** Opens the client that sends all requests to addresses that apps register. */
export const composeOutbound = ({ config, resolver }: Pick<Parts, 'config' | 'resolver'>): Outbound =>
  openOutbound({ evaluation: config.evaluation, allow: config.outboundAllow, resolver })

/** Composes the queue of logout tokens; a fault is logged, and the next run tries again. */
export function composeLogouts(parts: Parts, oauth: OAuthContext, outbound: Outbound, record: RecordFailure): Logouts {
  const { database, log } = parts
  const fault = (err: unknown) => log.error({ err }, 'logout tokens could not be sent')
  const store = deliveryStore(database.prisma)
  const queue = openLogoutQueue({ ...oauth, store, outbound, attempted: notesOf(parts, record), fault })
  return {
    nudge: () => outsideRequests(() => void setImmediate(queue.run)),
    giveUp: queue.giveUp,
    close: queue.close,
  }
}

/** Counts each result, and shows the developers of the app why one failed (design §9). */
function notesOf({ log, metrics }: Parts, record: RecordFailure) {
  return ({ appId, outcome, reason, attempts, count }: Attempted) => {
    metrics.logouts.inc({ outcome }, count)
    if (outcome === 'delivered') return
    const [endpoint, code] = ['backchannel_logout', outcome]
    log.info({ endpoint, client: appId, code, reason, count }, 'refused')
    record({ appId, endpoint, code, reason, detail: { attempts } }, count)
  }
}

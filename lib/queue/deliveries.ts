import type { Lane } from './delivery-queue.ts'

/** One kind of delivery in the queue, such as logout tokens: how to find, send and settle them. */
export type Deliveries<Target extends { id: string }, Delivery extends Queued> = {
  /** Distinguishes the lanes of this kind from those of another kind. */
  kind: string
  store: DeliveryStore<Target, Delivery>
  /** Returns the address of the target; undefined if it no longer has one. */
  addressOf(target: Target): string | undefined
  send(target: Target, delivery: Delivery, address: string): Promise<Failure | undefined>
  attempted(result: Attempted): void
}

/** The part of a delivery that the queue changes. */
export type Queued = {
  attempts: number
  /** No attempt is scheduled after this time. */
  until: Date
}

/** Stores deliveries of one kind. Each step is one compare-and-set, so that one process sends an attempt. */
export type DeliveryStore<Target, Delivery> = {
  /** Returns the targets with due deliveries. */
  findDueTargets(now: Date): Promise<Target[]>
  findDue(targetId: string, now: Date, most: number): Promise<Delivery[]>
  /** Leases the delivery until `until` and counts an attempt; undefined if another process has leased it. */
  claim(delivery: Delivery, until: Date): Promise<Delivery | undefined>
  /** Ends a delivery; false if it was queued again since. */
  settle(delivery: Delivery, end: End): Promise<boolean>
  /** Sets the time of the next attempt after one that failed at this time. */
  retryAt(delivery: Delivery, next: Date, failed: { reason: string; at: Date }): Promise<void>
  /**
   * Ends at most `most` deliveries whose `until` has passed, and counts them by target. A delivery that is leased or was
   * queued again stays. `attempts` is the highest number of one delivery.
   */
  giveUp(now: Date, most: number): Promise<{ appId: string; count: number; attempts: number }[]>
}

/** The end of a delivery. `rejected`: the receiver will never accept it. */
export type End = { outcome: 'delivered' | 'rejected' | 'given_up'; reason: string; at: Date }

/** The result of an attempt, or of `count` deliveries, for metrics and for the developers of the app. */
export type Attempted = {
  appId: string
  outcome: End['outcome'] | 'retried'
  reason: string
  attempts: number
  count: number
}

/** Why an attempt failed: the host was not reached, or the receiver rejected the delivery, which ends it. */
export type Failure = { reason: string; isUnreachable: boolean; isRejected?: boolean }

/**
 * In seconds: the lease of an attempt, after which another process may repeat the attempt; the first and the longest
 * backoff.
 */
const [lease, firstWait, longestWait] = [30, 10, 600]

/** Returns the lanes of one kind that have due deliveries. */
export async function findLanes<Target extends { id: string }, Delivery extends Queued>(
  deliveries: Deliveries<Target, Delivery>,
  now: () => Date,
): Promise<Lane[]> {
  const { kind, store, addressOf } = deliveries
  const targets = await store.findDueTargets(now())
  return targets.map((target) => ({
    id: `${target.id} ${kind}`,
    host: hostOf(addressOf(target)),
    async findDue(most) {
      const due = await store.findDue(target.id, now(), most)
      return due.map((delivery) => () => attempt(deliveries, target, delivery, now))
    },
  }))
}

const hostOf = (address: string | undefined) => (address ? new URL(address).host : '')

/** Makes an attempt, and says whether the host was reached. */
async function attempt<Target extends { id: string }, Delivery extends Queued>(
  { store, addressOf, send, attempted }: Deliveries<Target, Delivery>,
  target: Target,
  due: Delivery,
  now: () => Date,
) {
  const delivery = await store.claim(due, after(now(), lease))
  if (!delivery) return { isUnreachable: false }
  const address = addressOf(target)
  // The app has removed the address from its registration.
  if (!address) {
    await store.settle(delivery, { outcome: 'given_up', reason: '', at: now() })
    return { isUnreachable: false }
  }
  const failure = await send(target, delivery, address)
  const next = after(now(), Math.min(firstWait * 2 ** (delivery.attempts - 1), longestWait))
  const outcome = outcomeOf(failure, next <= delivery.until)
  const result = { appId: target.id, reason: failure?.reason ?? '', attempts: delivery.attempts, count: 1 }
  if (outcome === 'retried') {
    await store.retryAt(delivery, next, { reason: result.reason, at: now() })
    attempted({ ...result, outcome })
  } else {
    const isSettled = await store.settle(delivery, { outcome, reason: result.reason, at: now() })
    if (isSettled || outcome === 'delivered') attempted({ ...result, outcome })
  }
  return { isUnreachable: failure?.isUnreachable ?? false }
}

function outcomeOf(failure: Failure | undefined, mayRetry: boolean): Attempted['outcome'] {
  if (!failure) return 'delivered'
  if (failure.isRejected) return 'rejected'
  return mayRetry ? 'retried' : 'given_up'
}

/** Ends overdue deliveries: a target that was unreachable for a day may have more of them than were attempted. */
export async function giveUpOverdue(
  {
    store,
    attempted,
  }: Pick<Deliveries<{ id: string }, Queued>, 'attempted'> & {
    store: Pick<DeliveryStore<unknown, unknown>, 'giveUp'>
  },
  now: Date,
  most: number,
): Promise<number> {
  const apps = await store.giveUp(now, most)
  for (const app of apps) attempted({ ...app, outcome: 'given_up', reason: 'not delivered within a day' })
  return apps.reduce((sum, { count }) => sum + count, 0)
}

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

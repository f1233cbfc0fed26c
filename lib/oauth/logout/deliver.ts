import { type Outbound, OutboundFault } from '#lib/http/outbound'
import type { OAuthContext } from '#lib/oauth/context'
import { type LogoutClient, mintLogoutToken } from './logout-token.ts'

/** Sends the queued logout tokens; several processes may run it on one database. */
export type LogoutQueue = {
  /** Starts every due delivery. */
  run(): void
  /** Gives up at most `most` deliveries that are overdue, and returns their number. */
  giveUp(most: number): Promise<number>
  /** Starts no more deliveries, and waits for those in flight. */
  close(): Promise<void>
}

/** A logout token that an app must receive; `version` changes with every update of the row. */
export type Delivery = {
  appId: string
  sessionId: string
  subject: string
  version: number
  attempts: number
  createdAt: Date
  /** No attempt is scheduled after this time. */
  until: Date
}

/** Stores the queue. Each step is one compare-and-set on the version, so that one process sends an attempt. */
export type DeliveryStore = {
  /** Returns the apps with due deliveries, disabled ones too. */
  findDueApps(now: Date): Promise<LogoutClient[]>
  findDue(appId: string, now: Date, most: number): Promise<Delivery[]>
  /** Leases the delivery until `until` and counts an attempt; undefined if another process has leased it. */
  claim(delivery: Delivery, until: Date): Promise<Delivery | undefined>
  /** Removes a delivery that succeeded or was given up; false if it was queued again since. */
  remove(delivery: Delivery): Promise<boolean>
  /** Sets the time of the next attempt. */
  retryAt(delivery: Delivery, at: Date): Promise<void>
  /**
   * Removes at most `most` deliveries whose `until` has passed, and counts them by app. A delivery that is leased or was
   * queued again stays. `attempts` is the highest number of one delivery.
   */
  giveUp(now: Date, most: number): Promise<{ appId: string; count: number; attempts: number }[]>
}

/** The result of an attempt, or of `count` deliveries, for metrics and for the developers of the app. */
export type Attempted = {
  appId: string
  outcome: 'delivered' | 'retried' | 'given_up'
  reason: string
  attempts: number
  count: number
}

type Needs = Pick<OAuthContext, 'issuer' | 'now' | 'random' | 'keys'> & {
  store: DeliveryStore
  outbound: Pick<Outbound, 'postForm'>
  attempted(result: Attempted): void
  fault(fault: unknown): void
}

/** The maximum number of concurrent deliveries to one host, and in total, of this process. */
const [mostOfHost, mostAtOnce] = [4, 128]
/**
 * In seconds: the lease of an attempt, after which another process may repeat the attempt; the first and the longest
 * backoff.
 */
const [lease, firstWait, longestWait] = [30, 10, 600]

/** Opens the queue. Its whole state is in the database, so that a process may be killed at any step. */
export function openLogoutQueue(needs: Needs): LogoutQueue {
  const slots = openSlots(needs)
  let turn: Promise<void> | undefined
  let again = false
  let isOpen = true

  const startDue = async () => {
    if (slots.free() === 0) return
    const apps = slots.inTurn(await needs.store.findDueApps(needs.now()))
    for (const [index, app] of apps.entries()) {
      const free = slots.share(app, apps.length - index)
      if (free <= 0) continue
      for (const delivery of await needs.store.findDue(app.id, needs.now(), free)) slots.start(app, delivery, run)
    }
  }
  const run = () => {
    again = isOpen
    turn ??= (async () => {
      while (again) {
        again = false
        await startDue()
      }
    })()
      .catch(needs.fault)
      .finally(() => {
        turn = undefined
        if (again) run()
      })
  }
  return {
    run,
    giveUp: (most) => giveUp(needs, most),
    async close() {
      isOpen = false
      while (turn || slots.underway.size > 0) await Promise.all([turn, ...slots.underway])
    },
  }
}

/** Shares the deliveries that this process may have in flight between hosts and apps. */
function openSlots(needs: Needs) {
  const busy = new Map<string, number>()
  const underway = new Set<Promise<void>>()
  /** The apps that could not be reached, until their next attempt. */
  const paused = new Map<string, Date>()
  let last = ''
  const busyOf = (app: LogoutClient) => busy.get(hostOf(app)) ?? 0
  const free = () => mostAtOnce - underway.size

  return {
    underway,
    free,
    /**
     * Returns the apps in the order in which they get slots, without those that are paused. The host with the fewest
     * requests in flight is first, so that slow hosts do not delay the others; equals take turns.
     */
    inTurn(apps: LogoutClient[]): LogoutClient[] {
      for (const [id, until] of paused) if (until <= needs.now()) paused.delete(id)
      const byId = apps.filter(({ id }) => !paused.has(id)).sort((one, other) => (one.id < other.id ? -1 : 1))
      const next = byId.findIndex(({ id }) => id > last)
      const rotated = next < 0 ? byId : [...byId.slice(next), ...byId.slice(0, next)]
      return rotated.sort((one, other) => busyOf(one) - busyOf(other))
    },
    /** Returns how many deliveries the app may start while this number of apps, itself included, has no share yet. */
    share: (app: LogoutClient, apps: number) => Math.min(mostOfHost - busyOf(app), Math.ceil(free() / apps)),
    start(app: LogoutClient, delivery: Delivery, done: () => void) {
      const host = hostOf(app)
      last = app.id
      busy.set(host, (busy.get(host) ?? 0) + 1)
      const work = attempt(needs, app, delivery)
        .then((failure) => {
          // Attempts for the app's other sessions would only repeat the failure.
          if (failure?.unreachable) paused.set(app.id, after(needs.now(), firstWait))
          return true
        }, needs.fault)
        .then((isDone) => {
          busy.set(host, (busy.get(host) ?? 1) - 1)
          if (busy.get(host) === 0) busy.delete(host)
          underway.delete(work)
          // After a fault, the next call of `run` retries, because the database may be in trouble.
          if (isDone) done()
        })
      underway.add(work)
    },
  }
}

const hostOf = ({ registration: { backchannel_logout_uri: uri } }: LogoutClient) => (uri ? new URL(uri).host : '')

/** Makes an attempt, and returns why it failed. */
async function attempt(needs: Needs, app: LogoutClient, due: Delivery): Promise<Failure | undefined> {
  const { store, now } = needs
  const delivery = await store.claim(due, after(now(), lease))
  if (!delivery) return undefined
  const { backchannel_logout_uri: uri } = app.registration
  // The app has removed the address from its registration.
  if (!uri) {
    await store.remove(delivery)
    return undefined
  }
  const failure = await send(needs, app, { uri, delivery })
  const attempted = { appId: app.id, reason: failure?.reason ?? '', attempts: delivery.attempts, count: 1 }
  const next = after(now(), Math.min(firstWait * 2 ** (delivery.attempts - 1), longestWait))
  if (!failure) {
    await store.remove(delivery)
    needs.attempted({ ...attempted, outcome: 'delivered' })
  } else if (next <= delivery.until) {
    await store.retryAt(delivery, next)
    needs.attempted({ ...attempted, outcome: 'retried' })
  } else if (await store.remove(delivery)) needs.attempted({ ...attempted, outcome: 'given_up' })
  return failure
}

/** Removes overdue deliveries: an app that was unreachable for a day may have more of them than were attempted. */
async function giveUp({ store, now, attempted }: Needs, most: number): Promise<number> {
  const apps = await store.giveUp(now(), most)
  for (const app of apps) attempted({ ...app, outcome: 'given_up', reason: 'not delivered within a day' })
  return apps.reduce((sum, { count }) => sum + count, 0)
}

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

type Failure = { reason: string; unreachable: boolean }

/**
 * Sends a new token for this attempt as the only form field (Back-Channel Logout 1.0 §2.5). Success is 200, or 204,
 * which some frameworks send instead (§2.8).
 */
async function send(
  needs: Needs,
  app: LogoutClient,
  { uri, delivery }: { uri: string; delivery: Delivery },
): Promise<Failure | undefined> {
  const logout_token = await mintLogoutToken(needs, app, delivery)
  try {
    const status = await needs.outbound.postForm(uri, { logout_token })
    return status === 200 || status === 204 ? undefined : { reason: `the app answered ${status}`, unreachable: false }
  } catch (fault) {
    if (!(fault instanceof OutboundFault)) throw fault
    return { reason: fault.message, unreachable: true }
  }
}

import { type Outbound, OutboundFault } from '#lib/http/outbound'
import type { OAuthContext } from '#lib/oauth/context'
import { type LogoutClient, mintLogoutToken } from './logout-token.ts'

/** Sends the queued logout tokens; several processes may run it on one database. */
export type LogoutQueue = {
  /** Starts every due delivery. */
  run(): void
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
  /** Moves every due delivery of an app to a later time. */
  postpone(appId: string, now: Date, at: Date): Promise<void>
}

/** The result of an attempt, for metrics and for the developers of the app. */
export type Attempted = {
  appId: string
  outcome: 'delivered' | 'retried' | 'given_up'
  reason: string
  attempts: number
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
  const busy = new Map<string, number>()
  const underway = new Set<Promise<void>>()
  let turn: Promise<void> | undefined
  let again = false
  let isOpen = true

  const start = (app: LogoutClient, host: string, delivery: Delivery) => {
    busy.set(host, (busy.get(host) ?? 0) + 1)
    const work = attempt(needs, app, delivery)
      .then(() => true, needs.fault)
      .then((isDone) => {
        busy.set(host, (busy.get(host) ?? 1) - 1)
        if (busy.get(host) === 0) busy.delete(host)
        underway.delete(work)
        // After a fault, the next call of `run` retries, because the database may be in trouble.
        if (isDone) run()
      })
    underway.add(work)
  }
  const startDue = async () => {
    for (const app of await needs.store.findDueApps(needs.now())) {
      const host = hostOf(app)
      const free = Math.min(mostOfHost - (busy.get(host) ?? 0), mostAtOnce - underway.size)
      if (free <= 0) continue
      for (const delivery of await needs.store.findDue(app.id, needs.now(), free)) start(app, host, delivery)
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
    async close() {
      isOpen = false
      while (turn || underway.size > 0) await Promise.all([turn, ...underway])
    },
  }
}

const hostOf = ({ registration: { backchannel_logout_uri: uri } }: LogoutClient) => (uri ? new URL(uri).host : '')

async function attempt(needs: Needs, app: LogoutClient, due: Delivery): Promise<void> {
  const { store, now } = needs
  const delivery = await store.claim(due, after(now(), lease))
  if (!delivery) return
  const { backchannel_logout_uri: uri } = app.registration
  // The app has removed the address from its registration.
  if (!uri) return void (await store.remove(delivery))
  const { appId, attempts } = delivery
  const failure = await send(needs, app, { uri, delivery })
  if (!failure) {
    await store.remove(delivery)
    return needs.attempted({ appId, outcome: 'delivered', reason: '', attempts })
  }
  // The app is unreachable: attempts for its other sessions would only repeat the failure.
  if (failure.unreachable) await store.postpone(appId, now(), after(now(), firstWait))
  const { reason } = failure
  const next = after(now(), Math.min(firstWait * 2 ** (attempts - 1), longestWait))
  if (next <= delivery.until) {
    await store.retryAt(delivery, next)
    needs.attempted({ appId, outcome: 'retried', reason, attempts })
  } else if (await store.remove(delivery)) needs.attempted({ appId, outcome: 'given_up', reason, attempts })
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

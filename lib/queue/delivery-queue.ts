/** Sends queued deliveries to addresses of apps; several processes may run it on one database. */
export type DeliveryQueue = {
  /** Starts every due delivery. */
  run(): void
  /** Starts no more deliveries, and waits for those in flight. */
  close(): Promise<void>
}

/** An address with due deliveries of one kind. Lanes take turns in the order of their ids. */
export type Lane = {
  id: string
  /** The host that receives the deliveries; the number of concurrent requests to it is limited. */
  host: string
  /** Returns at most `most` due deliveries, the oldest first. */
  findDue(most: number): Promise<Attempt[]>
}

/** Makes one attempt to deliver; the result says whether other deliveries of the lane would fail too. */
export type Attempt = () => Promise<{ isUnreachable: boolean }>

type Needs = {
  now(): Date
  /** Returns the lanes with due deliveries, in any order. */
  findLanes(now: Date): Promise<Lane[]>
  fault(fault: unknown): void
}

/** The maximum number of concurrent deliveries to one host, and in total, of this process. */
const [mostOfHost, mostAtOnce] = [4, 128]
/** Seconds for which the deliveries of a lane wait when its host could not be reached. */
const pause = 10

/** Opens the queue. Its whole state is in the database, so that a process may be killed at any step. */
export function openDeliveryQueue(needs: Needs): DeliveryQueue {
  const slots = openSlots(needs)
  let turn: Promise<void> | undefined
  let again = false
  let isOpen = true

  const startDue = async () => {
    if (slots.free() === 0) return
    const lanes = slots.inTurn(await needs.findLanes(needs.now()))
    for (const [index, lane] of lanes.entries()) {
      const free = slots.share(lane, lanes.length - index)
      if (free <= 0) continue
      for (const attempt of await lane.findDue(free)) slots.start(lane, attempt, run)
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
      while (turn || slots.underway.size > 0) await Promise.all([turn, ...slots.underway])
    },
  }
}

/** Shares the deliveries that this process may have in flight between hosts and lanes. */
function openSlots(needs: Needs) {
  const busy = new Map<string, number>()
  const underway = new Set<Promise<void>>()
  /** The lanes that could not be reached, until their next attempt. */
  const paused = new Map<string, Date>()
  let last = ''
  const busyOf = (lane: Lane) => busy.get(lane.host) ?? 0
  const free = () => mostAtOnce - underway.size

  return {
    underway,
    free,
    /**
     * Returns the lanes in the order in which they get slots, without those that are paused. The host with the fewest
     * requests in flight is first, so that slow hosts do not delay the others; equals take turns.
     */
    inTurn(lanes: Lane[]): Lane[] {
      for (const [id, until] of paused) if (until <= needs.now()) paused.delete(id)
      const byId = lanes.filter(({ id }) => !paused.has(id)).sort((one, other) => (one.id < other.id ? -1 : 1))
      const next = byId.findIndex(({ id }) => id > last)
      const rotated = next < 0 ? byId : [...byId.slice(next), ...byId.slice(0, next)]
      return rotated.sort((one, other) => busyOf(one) - busyOf(other))
    },
    /** Returns how many deliveries the lane may start while this number of lanes, itself included, has no share yet. */
    share: (lane: Lane, lanes: number) => Math.min(mostOfHost - busyOf(lane), Math.ceil(free() / lanes)),
    start({ id, host }: Lane, attempt: Attempt, done: () => void) {
      last = id
      busy.set(host, (busy.get(host) ?? 0) + 1)
      const work = attempt()
        .then(({ isUnreachable }) => {
          // Attempts for the other deliveries of the lane would only repeat the failure.
          if (isUnreachable) paused.set(id, after(needs.now(), pause))
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

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

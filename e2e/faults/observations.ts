import { setTimeout as pause } from 'node:timers/promises'

/** One request of a person or an app: when it began, how long it took, and its status; 0 without an answer. */
type Observation = { who: Who; began: number; ms: number; status: number }
export type Who = 'people' | 'apps'
type Answered = { status: number; headers: Headers }

/** Returns whether a request was in progress at a moment, or began later: the first ones that a fault meets are in progress. */
const isSince = ({ began, ms }: Observation, moment: number) => began + ms >= moment

const isGood = ({ status }: Observation) => status > 0 && status < 400

/** What people and apps saw of the installation. */
export class Observations {
  readonly #all: Observation[] = []
  /** The statuses of refusals that do not say when to try again, whether Postern refused or the proxy. */
  readonly withoutRetryAfter: number[] = []

  /** Runs a request and records it. Returns undefined without an answer. */
  async record<T extends Answered>(who: Who, send: () => Promise<T>): Promise<T | undefined> {
    const began = performance.now()
    const answer = await send().catch(() => undefined)
    if (answer && (answer.status >= 500 || answer.status === 429) && !answer.headers.has('retry-after'))
      this.withoutRetryAfter.push(answer.status)
    this.#all.push({ who, began, ms: performance.now() - began, status: answer?.status ?? 0 })
    return answer
  }

  /** Returns how many requests of each kind that began at or after `moment` were answered well, without a break. */
  goodSince(moment: number): number {
    const counts = (['people', 'apps'] as const).map((who) => {
      const later = this.#all.filter((one) => one.who === who && one.began >= moment)
      return later.length - 1 - later.findLastIndex((one) => !isGood(one))
    })
    return Math.min(...counts)
  }

  /** Waits for the first good answer after `moment`. Returns the seconds between them. */
  async untilGood(who: Who, moment: number): Promise<number> {
    const isAfter = (one: Observation) => one.who === who && isGood(one) && one.began + one.ms >= moment
    for (;;) {
      const first = this.#all.find(isAfter)
      if (first) return (first.began + first.ms - moment) / 1000
      await pause(20)
    }
  }

  /** Returns the statuses with their counts, such as `200 × 14, 503 × 2, no answer × 1`. */
  statuses(who: Who, since: number): string {
    const counts = new Map<number, number>()
    for (const { status } of this.#of(who, since)) counts.set(status, (counts.get(status) ?? 0) + 1)
    const rows = [...counts].sort(([one], [other]) => (one || 999) - (other || 999))
    return rows.map(([status, count]) => `${status || 'no answer'} × ${count}`).join(', ')
  }

  /** Returns the seconds from the beginning of the first bad request to the end of the last one, 0 without any. */
  outage(since: number): number {
    const bad = this.#all.filter((one) => isSince(one, since) && !isGood(one))
    if (bad.length === 0) return 0
    return (Math.max(...bad.map(({ began, ms }) => began + ms)) - Math.min(...bad.map(({ began }) => began))) / 1000
  }

  /** Returns the seconds of the slowest request. */
  slowest(since: number): number {
    return Math.max(0, ...this.#all.filter((one) => isSince(one, since)).map(({ ms }) => ms)) / 1000
  }

  #of(who: Who, since: number): Observation[] {
    return this.#all.filter((one) => one.who === who && isSince(one, since))
  }
}

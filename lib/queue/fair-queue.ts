/**
 * Thrown when a queue is full or a ticket has waited too long. The front door answers 503 with Retry-After (design
 * §1), and the request does not count as a failed attempt.
 */
export class Overloaded extends Error {
  // Next bundles a second copy of this module, so `instanceof` would fail; callers compare the name.
  override readonly name = 'Overloaded'
}

export const isOverloaded = (fault: unknown): fault is Overloaded =>
  fault instanceof Error && fault.name === 'Overloaded'

/**
 * The two shares of a queue, each with its own number of places. `kept` is reserved for callers that must not wait
 * behind a flood in `usual`. When tickets wait in both shares, the shares take turns.
 */
export type Share = 'usual' | 'kept'

type Limits = {
  /** How many tickets run at a time, in total and for one key. */
  atOnce: number
  perKey?: number
  /** How many tickets may wait in the usual share, and in the kept share. */
  waiting: number
  kept?: number
  /** Milliseconds after which a waiting ticket is refused. */
  patience: number
}

/**
 * Makes a bounded queue in which the keys take turns: a key with many tickets delays another key by one ticket a
 * turn. A full share accepts a new ticket only if the line of its key stays shorter than the longest line, and then
 * refuses the newest ticket of the longest line. A ticket whose signal aborts leaves the queue.
 */
export function makeFairQueue({ atOnce, perKey = atOnce, waiting, kept = 0, patience }: Limits) {
  const shares = { usual: makeLines({ waiting, patience }), kept: makeLines({ waiting: kept, patience }) }
  const turns = Object.values(shares)
  const working = new Map<string, number>()
  let busy = 0

  const hasRoomFor = (key: string) => busy < atOnce && (working.get(key) ?? 0) < perKey

  const occupy = (key: string, change: 1 | -1) => {
    busy += change
    const now = (working.get(key) ?? 0) + change
    if (now === 0) working.delete(key)
    else working.set(key, now)
  }

  const beginNext = () => {
    const begun = turns.findIndex((lines) => lines.next(hasRoomFor, (next) => occupy(next, 1)))
    if (begun >= 0) turns.push(...turns.splice(begun, 1))
  }

  async function inTurn<T>(key: string, work: () => Promise<T>, signal?: AbortSignal, share: Share = 'usual') {
    if (signal?.aborted) throw new Overloaded('The client has gone.')
    if (hasRoomFor(key)) occupy(key, 1)
    else await shares[share].join(key, signal)
    try {
      return await work()
    } finally {
      occupy(key, -1)
      // Runs synchronously, so that no new ticket can take the free place first.
      beginNext()
    }
  }

  /** Returns whether `inTurn` would start or queue a ticket of this key now. */
  const hasPlace = (key: string, share: Share = 'usual') => hasRoomFor(key) || shares[share].mayJoin(key)
  return Object.assign(inTurn, { hasPlace })
}

type Ticket = { begin(): void; refuse(): void }

/** Makes the waiting lines of a share, one for each key. */
function makeLines({ waiting, patience }: Pick<Limits, 'waiting' | 'patience'>) {
  // The order of a Map's keys is the order of their turns.
  const lines = new Map<string, Ticket[]>()
  let length = 0

  const leave = (key: string, ticket: Ticket) => {
    const rest = lines.get(key)?.filter((one) => one !== ticket) ?? []
    if (rest.length > 0) lines.set(key, rest)
    else lines.delete(key)
    length--
  }

  /**
   * Returns whether the share has room for a ticket of this key, or can make room by refusing a ticket of a longer
   * line.
   */
  const mayJoin = (key: string): boolean =>
    length < waiting || longestOf(lines.values()).length > (lines.get(key)?.length ?? 0) + 1

  /** Resolves when it is the ticket's turn. */
  const join = (key: string, signal: AbortSignal | undefined): Promise<void> => {
    if (!mayJoin(key)) throw new Overloaded('The queue is full.')
    if (length >= waiting) longestOf(lines.values()).at(-1)?.refuse()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', refuse)
      leave(key, ticket)
    }
    const refuse = () => {
      settle()
      reject(new Overloaded('The queue did not reach this request.'))
    }
    const begin = () => {
      settle()
      resolve()
    }
    const ticket = { begin, refuse }
    const timer = setTimeout(refuse, patience)
    signal?.addEventListener('abort', refuse, { once: true })
    lines.set(key, [...(lines.get(key) ?? []), ticket])
    length++
    return promise
  }

  /** Starts the first ticket of the first key that may start one; that key moves to the end. */
  const next = (may: (key: string) => boolean, occupy: (key: string) => void): boolean => {
    for (const [key, line] of lines) {
      if (!may(key)) continue
      occupy(key)
      line[0]?.begin()
      const rest = lines.get(key)
      if (rest && lines.delete(key)) lines.set(key, rest)
      return true
    }
    return false
  }

  return { join, next, mayJoin }
}

const longestOf = (lines: Iterable<Ticket[]>): Ticket[] =>
  [...lines].reduce((longest, line) => (line.length > longest.length ? line : longest), [])

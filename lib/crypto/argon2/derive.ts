import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { type CurrentRequest, currentRequest } from '#lib/queue/current-request'
import { makeFairQueue, Overloaded, type Share } from '#lib/queue/fair-queue'
import { restDelay } from '#lib/queue/rest-delay'
import { networksOf } from '#lib/text/network'
import type { Derivation, Derived } from './thread.ts'

/**
 * One thread fewer than the number of cores: one core stays free for signing and the event loop. libuv's pool, in
 * which cookies are sealed and RS256 tokens are signed, is not used. A derivation takes about 30 ms, so one thread completes a full queue of 140
 * in about four seconds, within the ten-second deadline of a request.
 */
const usual = {
  threads: threadsFor(1),
  waiting: 100,
  kept: 40,
  patience: 5000,
  restDelay,
  openThread,
}

function threadsFor(processes: number): number {
  return Math.max(1, Math.min(8, Math.floor((availableParallelism() - 1) / processes)))
}

/**
 * Makes threads that derive keys, behind a queue in which the networks of the clients take turns. A flood from one
 * network delays other clients by one derivation a turn; a flood from many networks leaves known browsers their
 * places. Rejects with `Overloaded` when the queue is full or slow.
 */
export function makeArgon2(about: Partial<typeof usual> = {}) {
  const { threads, waiting, kept, patience, restDelay, openThread } = { ...usual, ...about }
  const inTurn = makeFairQueue({ atOnce: threads, waiting, kept, patience })
  const open = new Set<Worker>()
  /** The threads without work in the order in which they finished, each with the timer that ends it. */
  const idle = new Map<Worker, NodeJS.Timeout>()

  const openOne = () => {
    const thread = openThread()
    open.add(thread)
    // Without a listener, an error of the thread would end the process. The thread's `exit` event follows the error.
    thread.on('error', () => undefined)
    thread.once('exit', () => {
      open.delete(thread)
      takeFromIdle(thread)
    })
    return thread
  }
  const takeFromIdle = (thread: Worker | undefined) => {
    if (!thread) return undefined
    clearTimeout(idle.get(thread))
    return idle.delete(thread) ? thread : undefined
  }
  const rest = (thread: Worker) => {
    const end = () => void takeFromIdle(thread)?.terminate()
    idle.set(thread, setTimeout(end, restDelay).unref())
  }

  const runOnce = async (work: Derivation[]) => {
    const thread = takeFromIdle([...idle.keys()].at(-1)) ?? openOne()
    const derived = await ask(thread, work)
    rest(thread)
    return derived
  }

  const run = async (work: Derivation[]): Promise<Buffer[]> => {
    // Retries the work once in another thread when a thread dies.
    const derived = await runOnce(work).catch(() => runOnce(work))
    if ('fault' in derived) throw new Error(`argon2: ${derived.fault}`)
    return derived.keys.map((key) => Buffer.from(key))
  }

  // An attacker who signs in to many accounts can fill the kept share; other known browsers then wait like unknown ones.
  const lineFor = (request: CurrentRequest | undefined): Line => {
    const lines = linesOf(request)
    return lines.find(({ key, share }) => inTurn.hasPlace(key, share)) ?? (lines.at(-1) as Line)
  }

  return {
    derive(work: Derivation[]): Promise<Buffer[]> {
      const { key, share } = lineFor(currentRequest())
      return inTurn(key, () => run(work), currentRequest()?.abandoned(), share)
    },
    /** Throws `Overloaded` if the queue would refuse a derivation for this client now. */
    expectPlace(): void {
      const { key, share } = lineFor(currentRequest())
      if (!inTurn.hasPlace(key, share)) throw new Overloaded('The queue is full.')
    },
    async close(): Promise<void> {
      await Promise.all([...open].map((thread) => thread.terminate()))
    },
  }
}

type Line = { key: string; share: Share }

/**
 * Returns the lines in which a client may wait, the best first: for a known browser the line of its account, in a
 * share of the queue that a flood of unknown clients cannot fill; then the line of its network.
 */
const linesOf = (request: CurrentRequest | undefined): Line[] => {
  const ofNetwork: Line = { key: widestNetwork(request?.address ?? ''), share: 'usual' }
  return request?.knownAccount === undefined ? [ofNetwork] : [{ key: request.knownAccount, share: 'kept' }, ofNetwork]
}

/**
 * Returns the /48 of an IPv6 address, or an IPv4 address. One customer may own all /64 networks of a /48, so they
 * share one line.
 */
const widestNetwork = (address: string) => networksOf(address).at(-1)?.name ?? ''

/** Rejects when the thread ends instead of answering. An idle thread does not keep the process alive. */
function ask(thread: Worker, work: Derivation[]): Promise<Derived> {
  const { promise, resolve, reject } = Promise.withResolvers<Derived>()
  const end = (code: number) => reject(new Error(`A thread for argon2 ended with ${code}.`))
  thread.once('message', resolve)
  thread.once('exit', end)
  thread.ref()
  thread.postMessage(work)
  return promise.finally(() => {
    thread.off('message', resolve)
    thread.off('exit', end)
    thread.unref()
  })
}

export function openThread(): Worker {
  return new Worker(new URL('./thread.ts', import.meta.url))
}

// Next bundles a copy of this module; the slot on globalThis gives both copies the same threads.
const slot = globalThis as { __posternArgon2?: ReturnType<typeof makeArgon2> | undefined }

/** Divides the cores among this many processes of the machine. Must be called before the first derivation. */
export function shareArgon2(processes: number): void {
  slot.__posternArgon2 ??= makeArgon2({ threads: threadsFor(processes) })
}

const threads = () => (slot.__posternArgon2 ??= makeArgon2())

/** Derives keys in threads, as one job of the queue; the first call starts a thread. */
export const deriveArgon2 = (work: Derivation[]): Promise<Buffer[]> => threads().derive(work)

/**
 * Throws `Overloaded` while the queue is full for this client, so that a flood is refused before it costs other work.
 */
export const expectPlaceForHash = (): void => threads().expectPlace()

export async function closeArgon2(): Promise<void> {
  await slot.__posternArgon2?.close()
  slot.__posternArgon2 = undefined
}

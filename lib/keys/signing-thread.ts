import type { KeyObject } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { restDelay } from '#lib/queue/rest-delay'
import { collect, makeRing, post, type Ring, signOthersMeanwhile, slots } from './signing-ring.ts'
import type { SetUp } from './signing-worker.ts'
import { signPair, type TokenPair, type UnsignedPair } from './token-pair.ts'

/** In milliseconds: a thread that failed is replaced after `restartDelay`, and one without work ends after `restDelay`. */
const usual = { restartDelay: 60_000, restDelay }

export type SigningThread = ReturnType<typeof openSigningThread>

/** `onEnd` receives the error that ended the thread, or that kept it from starting. `close` does not call it. */
type Options = Partial<typeof usual> & { onEnd?: (fault: unknown) => void; signHere?: typeof signPair }

/**
 * Signs pairs of tokens in another thread while the calling thread commits the write that permits them. A pair that the
 * other thread has not begun to sign when it is needed is signed in the calling thread, by `signHere`. While the other thread
 * signs the needed pair, the calling thread signs later ones, for five milliseconds at most, and then waits for one. The second
 * pair within `restDelay` starts the thread.
 */
export function openSigningThread({ onEnd, signHere = signPair, ...delays }: Options = {}) {
  const { restartDelay, restDelay } = { ...usual, ...delays }
  let running: Running | undefined
  /** Ends the thread; a later pair starts another one. */
  const close = async () => {
    const closing = running
    running = undefined
    if (!closing) return
    closing.endedAt ??= performance.now()
    await closing.worker?.terminate()
  }
  let isAtRest = true
  const restTimer = setTimeout(() => {
    isAtRest = true
    // A failed thread is not forgotten here: `endedAt` says when it may be replaced.
    if (running?.endedAt === undefined) void close()
  }, restDelay).unref()
  const threadFor = (kid: string, key: KeyObject): Running => {
    const mayRestart = running?.endedAt !== undefined && performance.now() - running.endedAt > restartDelay
    if (running?.kid !== kid || mayRestart) void close()
    running ??= start(kid, key, (fault) => onEnd?.(fault))
    return running
  }
  return {
    /** Posts a pair to the thread. The returned function returns the signed tokens; a refused write never calls it. */
    begin(pair: UnsignedPair, kid: string, key: KeyObject): () => TokenPair {
      const isFirst = isAtRest && running === undefined
      isAtRest = false
      restTimer.refresh()
      // A start takes as much processor time as hundreds of signatures.
      if (isFirst) return () => signHere(pair, key)
      const sign = (unsigned: UnsignedPair) => signHere(unsigned, key)
      const collectPair = hand(threadFor(kid, key), pair, sign)
      return () => collectPair?.() ?? sign(pair)
    },
    close,
  }
}

type Running = {
  kid: string
  worker: Worker | undefined
  /** The time at which the thread ended or was closed; undefined while it runs. */
  endedAt: number | undefined
  ring: Ring
  /** The pair of each slot. A later pair overwrites an uncollected one. */
  owners: (UnsignedPair | undefined)[]
  next: number
}

/** Starts the thread. A thread that cannot start, for example at a limit of processes, counts as ended. */
function start(kid: string, key: KeyObject, onEnd: (fault: unknown) => void): Running {
  const running: Running = { kid, worker: undefined, endedAt: undefined, ring: makeRing(), owners: [], next: 0 }
  const end = (fault: unknown) => {
    if (running.endedAt !== undefined) return
    running.endedAt = performance.now()
    onEnd(fault)
  }
  try {
    const workerData: SetUp = { ring: running.ring, key }
    running.worker = new Worker(new URL('./signing-worker.ts', import.meta.url), { workerData })
    running.worker.on('error', end)
    running.worker.once('exit', (code) => end(new Error(`The thread ended without an error, with code ${code}.`)))
    running.worker.unref()
  } catch (fault) {
    end(fault)
  }
  return running
}

/** Posts a pair to the next slot. The returned function collects the signed pair, or undefined if it is not signed in time. */
function hand(
  running: Running,
  pair: UnsignedPair,
  signHere: (pair: UnsignedPair) => TokenPair,
): (() => TokenPair | undefined) | undefined {
  const { ring, owners, next: slot } = running
  if (running.endedAt !== undefined || !post(ring, slot, pair)) return undefined
  running.next = (slot + 1) % slots
  owners[slot] = pair
  return () => {
    if (owners[slot] !== pair) return undefined
    owners[slot] = undefined
    if (running.endedAt !== undefined) return undefined
    signOthersMeanwhile(ring, slot, (running.next + slots - 1) % slots, signHere)
    return collect(ring, slot)
  }
}

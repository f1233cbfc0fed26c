import type { KeyObject } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { longest, makeRing, places, type Ring, type SetUp, state, textAt } from './pair-ring.ts'
import { signPair, type TokenPair, type UnsignedPair } from './token-pair.ts'

/** Milliseconds to wait for a pair that is being signed; two signatures take a tenth. */
const patience = 1
/** Milliseconds until a thread that has ended by itself is started again. */
const usualRest = 60_000

export type PairThread = ReturnType<typeof openPairThread>

/**
 * Signs pairs of tokens in another thread while the calling thread commits the write that permits them. A pair that the
 * other thread has not begun to sign when it is needed is signed by `signHere`, in the calling thread. So a slow or dead
 * thread delays nothing. The first pair starts the thread.
 */
export function openPairThread(signHere = signPair, rest = usualRest) {
  let running: Running | undefined
  const close = async () => {
    const worker = running?.worker
    running = undefined
    await worker?.terminate()
  }
  const threadFor = (kid: string, key: KeyObject): Running => {
    const isOver = running?.endedAt !== undefined && performance.now() - running.endedAt > rest
    if (running?.kid !== kid || isOver) void close()
    running ??= start(kid, key)
    return running
  }
  return {
    /** Hands a pair to the thread, and returns a function that returns the signed tokens. A caller may drop that function. */
    begin(pair: UnsignedPair, kid: string, key: KeyObject): () => TokenPair {
      const take = put(threadFor(kid, key), pair)
      return () => take?.() ?? signHere(pair, key)
    },
    close,
  }
}

type Running = {
  worker: Worker
  kid: string
  endedAt: number | undefined
  ring: Ring
  /** Which pair each place holds: a pair whose tokens are never asked for loses its place to a later pair. */
  owners: (symbol | undefined)[]
  next: number
}

function start(kid: string, key: KeyObject): Running {
  const ring = makeRing()
  const worker = new Worker(new URL('./pair-worker.ts', import.meta.url), {
    workerData: { ring, key } satisfies SetUp,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
  })
  const running: Running = { worker, kid, endedAt: undefined, ring, owners: [], next: 0 }
  // Without a listener, an error of the thread would end the process.
  worker.on('error', () => undefined)
  worker.once('exit', () => {
    running.endedAt = performance.now()
  })
  worker.unref()
  return running
}

/** Puts a pair into the next place, and returns a function that takes the signed pair from there, if it is signed. */
function put(running: Running, pair: UnsignedPair): (() => TokenPair | undefined) | undefined {
  const { ring, owners, next: place } = running
  const text = `${pair.access}\n${pair.idHeader}\n${pair.idClaims}`
  const bytes = Buffer.byteLength(text)
  if (bytes > longest || running.endedAt !== undefined) return undefined
  // Removes an older pair that the thread has not begun to sign. While it signs that pair, this place cannot be used.
  Atomics.compareExchange(ring.states, place, state.ready, state.empty)
  if (Atomics.load(ring.states, place) === state.taken) return undefined
  running.next = (place + 1) % places
  textAt(ring, place).write(text)
  ring.lengths[place] = bytes
  Atomics.store(ring.states, place, state.ready)
  Atomics.add(ring.posted, 0, 1)
  Atomics.notify(ring.posted, 0)
  const owner = Symbol(place)
  owners[place] = owner
  return () => {
    if (owners[place] !== owner) return undefined
    owners[place] = undefined
    return take(ring, place)
  }
}

/** Returns the signed pair of a place; undefined if the thread has not begun to sign it, or does not end in time. */
function take(ring: Ring, place: number): TokenPair | undefined {
  const { states, lengths } = ring
  if (Atomics.compareExchange(states, place, state.ready, state.empty) === state.ready) return undefined
  Atomics.wait(states, place, state.taken, patience)
  if (Atomics.load(states, place) !== state.done) return undefined
  const text = textAt(ring, place).toString('latin1', 0, lengths[place])
  const end = text.indexOf('\n')
  return { access: text.slice(0, end), id: text.slice(end + 1) }
}

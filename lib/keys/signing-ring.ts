import type { TokenPair, UnsignedPair } from './token-pair.ts'

/**
 * The memory that the main thread and the signing thread share: slots for one pair of tokens each. The main thread sets
 * a slot that is `empty` or `signed` to `ready`, and one that is `ready` back to `empty`. The thread that signs a pair sets a
 * slot that is `ready` to `signing`, then to `signed`. The main thread signs a pair in its slot only while it waits for the signing
 * thread.
 */
export type Ring = {
  states: Int32Array<SharedArrayBuffer>
  /** The number of pairs posted so far; the signing thread waits until it changes. */
  posted: Int32Array<SharedArrayBuffer>
  /** The length of the text in each slot, in bytes. */
  lengths: Int32Array<SharedArrayBuffer>
  texts: Uint8Array<SharedArrayBuffer>
}
export const state = { empty: 0, ready: 1, signing: 2, signed: 3 } as const

/** Enough for 200 concurrent requests: a pair that finds all slots in use overwrites the oldest pair. */
export const slots = 256
const slotBytes = 8192
/** The longest unsigned pair in bytes. A signed pair is a third longer, plus two signatures. */
const longest = slotBytes / 2
/** The longest wait for the thread to sign a claimed pair, in milliseconds; two signatures take about 0.1 ms. */
const longestWait = 1
/**
 * The longest time in milliseconds for which the main thread signs other pairs before it waits. It is reached only if the
 * signing thread stands still.
 */
const longestMeanwhile = 5

export function makeRing(): Ring {
  const numbers = (count: number) => new Int32Array(new SharedArrayBuffer(4 * count))
  const texts = new Uint8Array(new SharedArrayBuffer(slots * slotBytes))
  return { states: numbers(slots), posted: numbers(1), lengths: numbers(slots), texts }
}

const textAt = ({ texts }: Ring, slot: number): Buffer => Buffer.from(texts.buffer, slot * slotBytes, slotBytes)

/** Puts a pair into a slot (main thread). Returns false if the pair is too large or the thread is signing the slot's pair. */
export function post(ring: Ring, slot: number, { access, idHeader, idClaims }: UnsignedPair): boolean {
  const { states, posted, lengths } = ring
  const text = `${access}\n${idHeader}\n${idClaims}`
  const bytes = Buffer.byteLength(text)
  if (bytes > longest) return false
  // Discards an abandoned pair, such as that of a refused write, unless the thread is signing it.
  Atomics.compareExchange(states, slot, state.ready, state.empty)
  if (Atomics.load(states, slot) === state.signing) return false
  textAt(ring, slot).write(text)
  lengths[slot] = bytes
  Atomics.store(states, slot, state.ready)
  Atomics.add(posted, 0, 1)
  Atomics.notify(posted, 0)
  return true
}

/**
 * Signs the newest waiting pairs for as long as the other thread signs the pair of a slot (main thread). The other thread goes
 * from the oldest to the newest. Without this, the main thread waited for each pair of a turn after the first one (decision 0085).
 */
export function signOthersMeanwhile(ring: Ring, slot: number, newest: number, sign: (pair: UnsignedPair) => TokenPair) {
  const until = performance.now() + longestMeanwhile
  for (let other = newest; other !== slot; other = (other + slots - 1) % slots) {
    if (Atomics.load(ring.states, slot) !== state.signing || performance.now() >= until) return
    const pair = claim(ring, other)
    if (!pair) continue
    try {
      finish(ring, other, sign(pair))
    } catch {
      // The pair belongs to another request than the one that waits. That request signs it again and reports the error.
      Atomics.store(ring.states, other, state.ready)
      return
    }
  }
}

/** Returns the signed pair of a slot (main thread); undefined if the thread has not claimed it or is not done in time. */
export function collect(ring: Ring, slot: number): TokenPair | undefined {
  const { states, lengths } = ring
  if (Atomics.compareExchange(states, slot, state.ready, state.empty) === state.ready) return undefined
  Atomics.wait(states, slot, state.signing, longestWait)
  if (Atomics.load(states, slot) !== state.signed) return undefined
  const text = textAt(ring, slot).toString('latin1', 0, lengths[slot])
  const end = text.indexOf('\n')
  return { access: text.slice(0, end), id: text.slice(end + 1) }
}

/** Claims the pair of a slot for signing (both threads); returns undefined if no pair is ready. */
export function claim(ring: Ring, slot: number): UnsignedPair | undefined {
  const { states, lengths } = ring
  if (Atomics.compareExchange(states, slot, state.ready, state.signing) !== state.ready) return undefined
  const text = textAt(ring, slot).toString('utf8', 0, lengths[slot])
  const [access = '', idHeader = '', idClaims = ''] = text.split('\n')
  return { access, idHeader, idClaims }
}

/** Puts the signed pair into its slot (both threads). */
export function finish(ring: Ring, slot: number, { access, id }: TokenPair): void {
  const { states, lengths } = ring
  lengths[slot] = textAt(ring, slot).write(`${access}\n${id}`, 'latin1')
  Atomics.store(states, slot, state.signed)
  Atomics.notify(states, slot)
}

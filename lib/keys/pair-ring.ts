import type { KeyObject } from 'node:crypto'

/**
 * The memory that the main thread and the signing thread share: places for one pair each, in turn. A place goes from
 * `empty` to `ready` and back in the main thread, and from `ready` over `taken` to `done` in the signing thread.
 */
export type Ring = {
  states: Int32Array<SharedArrayBuffer>
  /** Counts the pairs; the signing thread waits for the next one here. */
  posted: Int32Array<SharedArrayBuffer>
  /** The bytes of the text in each place. */
  lengths: Int32Array<SharedArrayBuffer>
  texts: Uint8Array<SharedArrayBuffer>
}
export const state = { empty: 0, ready: 1, taken: 2, done: 3 } as const

/** What the signing thread gets at its start. */
export type SetUp = { ring: Ring; key: KeyObject }

/** More pairs than usually wait for one shared commit. */
export const places = 64
const placeBytes = 8192
/** The longest unsigned pair: base64url makes the signed one a third longer, and two signatures come to it. */
export const longest = placeBytes / 2

export function makeRing(): Ring {
  const numbers = (count: number) => new Int32Array(new SharedArrayBuffer(4 * count))
  const texts = new Uint8Array(new SharedArrayBuffer(places * placeBytes))
  return { states: numbers(places), posted: numbers(1), lengths: numbers(places), texts }
}

/** Returns the memory of a place for its text. */
export const textAt = ({ texts }: Ring, place: number): Buffer =>
  Buffer.from(texts.buffer, place * placeBytes, placeBytes)

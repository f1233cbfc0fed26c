export type Chance = ReturnType<typeof makeChance>

/** A random generator whose choices a seed repeats exactly (mulberry32). */
export function makeChance(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const times = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make)
  return {
    below,
    pick,
    times,
    /** Returns true with this probability. */
    one: (share: number) => next() < share,
    /** Returns one of the names, with a probability in proportion to its weight. */
    weighted<T extends string>(weights: Record<T, number>): T {
      const entries = Object.entries(weights) as [T, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      return (entries[0] as [T, number])[0]
    },
    text: (most: number, from: number, to: number) =>
      String.fromCodePoint(...times(most, () => from + below(to - from + 1))),
  }
}

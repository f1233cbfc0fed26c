type Limits = { seconds: number; most: number; characters: number }

type Held<T> = { value: T; until: number; length: number }

/**
 * Caches results of `load` for some seconds: up to `most` of them, and up to `characters` as JSON. Does not cache that a
 * key is absent, so that invented keys cannot fill the cache.
 */
export function remember<T>(load: (key: string) => Promise<T | undefined>, limits: Limits) {
  const known = new Map<string, Held<T>>()
  let characters = 0
  const forget = (key: string) => {
    characters -= known.get(key)?.length ?? 0
    known.delete(key)
  }
  return async (key: string): Promise<T | undefined> => {
    const now = performance.now()
    const held = known.get(key)
    if (held && held.until > now) return held.value
    const value = await load(key)
    // A copy: the key may be a slice of a form, which would stay in memory as long as the slice.
    const ownKey = Buffer.from(key).toString()
    forget(ownKey)
    if (value === undefined) return undefined
    const { length } = JSON.stringify(value)
    if (length > limits.characters) return value
    known.set(ownKey, { value, until: now + limits.seconds * 1000, length })
    characters += length
    for (const [oldest, { until }] of known) {
      if (until > now && known.size <= limits.most && characters <= limits.characters) break
      forget(oldest)
    }
    return value
  }
}

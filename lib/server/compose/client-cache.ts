/**
 * Caches up to `most` results of `load` for some seconds. Does not cache that a key is absent, so that invented keys
 * cannot fill the cache.
 */
export function remember<T>(load: (key: string) => Promise<T | undefined>, limits: { seconds: number; most: number }) {
  const known = new Map<string, { value: T; until: number }>()
  return async (key: string): Promise<T | undefined> => {
    const now = performance.now()
    const held = known.get(key)
    if (held && held.until > now) return held.value
    const value = await load(key)
    known.delete(key)
    if (value === undefined) return undefined
    if (known.size >= limits.most) known.delete(known.keys().next().value as string)
    // A copy: the key may be a slice of a form, which would stay in memory as long as the slice.
    known.set(Buffer.from(key).toString(), { value, until: now + limits.seconds * 1000 })
    return value
  }
}

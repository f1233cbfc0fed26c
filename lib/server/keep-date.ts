/**
 * Loads Next, and keeps V8's own Date. Next replaces it for `cacheComponents`, which Postern does not use, by one whose
 * constructor is several times as slow.
 */
export async function keepDate<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const NativeDate = Date
  try {
    return await load()
  } finally {
    globalThis.Date = NativeDate
    NativeDate.prototype.constructor = NativeDate
  }
}

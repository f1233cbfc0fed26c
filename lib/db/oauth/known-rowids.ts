/** Where an authorization and its person are stored on SQLite. */
type Rowids = readonly [authorization: number, person: number]

/** At least as many authorizations are known as verified signatures (lib/keys/verified-tokens.ts), and at most twice as many. */
const most = 10_000

/**
 * Remembers the rowids of authorizations and their people. They are hints: SQLite may give a rowid to another row later, so a
 * statement that uses them compares the ids.
 */
export function knownRowids() {
  // Two maps instead of the removal of the oldest key: a map keeps a hole for each removed key, and finding the first key passes them all.
  let recent = new Map<string, Rowids>()
  let earlier = new Map<string, Rowids>()
  return {
    get: (authorizationId: string) => recent.get(authorizationId) ?? earlier.get(authorizationId),
    set(authorizationId: string, rowids: Rowids) {
      recent.set(authorizationId, rowids)
      if (recent.size >= most) [recent, earlier] = [new Map(), recent]
    },
    forget(authorizationId: string) {
      recent.delete(authorizationId)
      earlier.delete(authorizationId)
    },
  }
}

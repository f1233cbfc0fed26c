/** The rowids of an authorization and of its person on SQLite. */
type Place = readonly [authorization: number, person: number]

/** At least as many places are known as verified signatures (lib/keys/verified-tokens.ts), and at most twice as many. */
const most = 10_000

/**
 * Remembers where the rows of authorizations lie. A place is a hint: SQLite may store another row there later, so a statement
 * that uses it compares the id.
 */
export function knownPlaces() {
  // Two maps instead of the removal of the oldest key: a map keeps a hole for each removed key, and finding the first key passes them all.
  let recent = new Map<string, Place>()
  let earlier = new Map<string, Place>()
  return {
    get: (authorizationId: string) => recent.get(authorizationId) ?? earlier.get(authorizationId),
    /** Notes a place, or forgets it. */
    set(authorizationId: string, place: Place | undefined) {
      earlier.delete(authorizationId)
      if (!place) return void recent.delete(authorizationId)
      recent.set(authorizationId, place)
      if (recent.size >= most) [recent, earlier] = [new Map(), recent]
    },
  }
}

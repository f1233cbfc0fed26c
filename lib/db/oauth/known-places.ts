/** The rowids of an authorization and of its person on SQLite. */
type Place = readonly [authorization: number, person: number]

/** Postern remembers the verified signatures of as many tokens (lib/keys/verified-tokens.ts). */
const most = 10_000

/**
 * Remembers where the rows of authorizations lie. A place is a hint: SQLite may store another row there later, so a statement
 * that uses it compares the id.
 */
export function knownPlaces() {
  const places = new Map<string, Place>()
  return {
    get: (authorizationId: string) => places.get(authorizationId),
    /** Notes a place, or forgets it. */
    set(authorizationId: string, place: Place | undefined) {
      if (!place) return void places.delete(authorizationId)
      places.set(authorizationId, place)
      if (places.size > most) places.delete(places.keys().next().value as string)
    },
  }
}

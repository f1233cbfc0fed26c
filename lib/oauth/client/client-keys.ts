import type { JWK } from 'jose'
import type { Client } from './client.ts'
import { type ProfileName, profileOf } from './profile.ts'
import { readPublicKey } from './public-key.ts'

/** The public keys of apps: registered ones, and those that an app publishes at its `jwks_uri` (RFC 7591 §2). */
export type ClientKeys = {
  /**
   * Returns the registered keys of an app with this kid, or with any kid if it is undefined; if there are none, the
   * published ones. `problem` says why the last fetch failed; `known` lists the kids of all keys.
   */
  find(client: Client, kid: string | undefined): Promise<FoundKeys>
}

type FoundKeys = { keys: PublicJwk[]; problem: string | undefined; known: string[] }
type PublicJwk = { kid: string; jwk: JWK }

type Needs = { getJson(url: string): Promise<unknown>; now(): Date }

/** Fetched keys are used for this long before the next fetch; then a key that the app has removed is refused. */
const fresh = 10 * 60_000
/**
 * If fetches fail, fetched keys are used for this long, so that an outage of the app's server does not lock the app
 * out.
 */
const stale = 60 * 60_000
/** The minimum time between two fetches for an app, so that requests with unknown kids cause no flood of fetches. */
const pause = 60_000
/** The maximum number of apps whose keys are cached. */
const mostApps = 2_000
const mostKeys = 100

type Entry = {
  /** The `jwks_uri` and the profile when the keys were fetched; the entry is stale if either changes. */
  source: string
  keys: PublicJwk[]
  fetchedAt: number
  triedAt: number
  problem: string | undefined
  running: Promise<void> | undefined
}

/**
 * Caches the published keys of each app. Fetches them when they are old or lack the kid, at most once a minute for
 * each app; concurrent requests wait for the same fetch.
 */
export function openClientKeys({ getJson, now }: Needs): ClientKeys {
  const entries = new Map<string, Entry>()
  const refresh = async (entry: Entry, uri: string, profile: ProfileName) => {
    try {
      entry.keys = readKeySet(await getJson(uri), profile)
      entry.fetchedAt = now().getTime()
      entry.problem = undefined
    } catch (fault) {
      entry.problem = fault instanceof Error ? fault.message : String(fault)
    } finally {
      entry.running = undefined
    }
  }
  return {
    async find({ id, profile, keys: registered, registration: { jwks_uri: uri } }, kid) {
      const named = registered.filter(isNamed(kid))
      if (!uri || named.length > 0) return { keys: named, problem: undefined, known: kidsOf(registered) }
      const entry = entryOf(entries, id, `${profile} ${uri}`)
      const time = now().getTime()
      if (needsFetch(entry, kid, time)) {
        if (!entry.running && isOver(pause, entry.triedAt, time)) {
          entry.triedAt = time
          entry.running = refresh(entry, uri, profile)
        }
        await entry.running
      }
      const keys = isOver(stale, entry.fetchedAt, now().getTime()) ? [] : entry.keys
      return { keys: keys.filter(isNamed(kid)), problem: entry.problem, known: kidsOf([...registered, ...keys]) }
    },
  }
}

const kidsOf = (keys: PublicJwk[]) => keys.map(({ kid }) => kid)

const isNamed = (kid: string | undefined) => (key: PublicJwk) => kid === undefined || key.kid === kid

const needsFetch = (entry: Entry, kid: string | undefined, now: number): boolean =>
  isOver(fresh, entry.fetchedAt, now) || !entry.keys.some(isNamed(kid))

/** Also true if the clock was set back, so that old keys are not kept for longer. */
const isOver = (duration: number, since: number, now: number): boolean => now - since >= duration || now < since

function entryOf(entries: Map<string, Entry>, id: string, source: string): Entry {
  const known = entries.get(id)
  if (known?.source === source) return known
  entries.delete(id)
  if (entries.size >= mostApps) entries.delete(entries.keys().next().value as string)
  const never = Number.NEGATIVE_INFINITY
  const entry = { source, keys: [], fetchedAt: never, triedAt: never, problem: undefined, running: undefined }
  entries.set(id, entry)
  return entry
}

/** Reads a JWK set and ignores keys that cannot be used (RFC 7517 §5), private ones among them. */
function readKeySet(document: unknown, profile: ProfileName): PublicJwk[] {
  const list = (document as { keys?: unknown } | null)?.keys
  if (!Array.isArray(list)) throw new Error('the answer is not a JWK set')
  return list.slice(0, mostKeys).flatMap((jwk) => {
    const read = readPublicKey(jwk, profileOf(profile).keyAlgs)
    return read.ok ? [{ kid: read.key.kid, jwk: JSON.parse(read.key.jwk) as JWK }] : []
  })
}

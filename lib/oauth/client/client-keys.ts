import type { JWK } from 'jose'
import type { Client } from './client.ts'
import { type ProfileName, profileOf } from './profile.ts'
import { readPublicKey } from './public-key.ts'

/** The public keys of apps: registered ones, and those that an app publishes at its `jwks_uri` (RFC 7591 §2). */
export type ClientKeys = {
  /**
   * Returns the keys of an app with this kid, or all of them: the registered keys, or else the published ones. `problem`
   * says why the last fetch failed.
   */
  find(client: Client, kid: string | undefined): Promise<{ keys: PublicJwk[]; problem: string | undefined }>
}

type PublicJwk = { kid: string; jwk: JWK }

type Needs = { getJson(url: string): Promise<unknown>; now(): Date }

/** Fetched keys are used for this long without asking again, so a key that an app withdraws is refused after it. */
const fresh = 10 * 60_000
/** While fetches fail, fetched keys are used for this long, so that an outage of the app's file locks no app out. */
const stale = 60 * 60_000
/** No app causes more than one fetch in this time, whatever kids are sent in its name. */
const pause = 60_000
/** The most apps whose keys are cached. */
const mostApps = 2_000
const mostKeys = 100

type Entry = {
  /** The address and the profile for which the keys were read. */
  source: string
  keys: PublicJwk[]
  fetchedAt: number
  triedAt: number
  problem: string | undefined
  running: Promise<void> | undefined
}

/**
 * Caches the published keys of each app. Fetches them when they are old or lack the kid, at most once a minute for each app; requests
 * at the same time wait for one fetch.
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
      const known = registered.filter(isNamed(kid))
      if (!uri || known.length > 0) return { keys: known, problem: undefined }
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
      return { keys: keys.filter(isNamed(kid)), problem: entry.problem }
    },
  }
}

const isNamed = (kid: string | undefined) => (key: PublicJwk) => kid === undefined || key.kid === kid

const needsFetch = (entry: Entry, kid: string | undefined, now: number): boolean =>
  isOver(fresh, entry.fetchedAt, now) || !entry.keys.some(isNamed(kid))

/** A clock that was set back must not keep old keys for longer. */
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

import type { AttemptStore } from '#lib/account/throttle/attempt'
import { sha256 } from '#lib/crypto/hash'
import { networksOf } from '#lib/text/network'
import type { Window } from './attempts.ts'

const [minute, hour] = [60, 3600]

/** Every limit by the prefix of its keys. A network of IPv6 that is wider than one customer's has a multiple of it. */
const limits = {
  // Wrong client credentials: of an app from an address (of an address alone where no app can be named), and of an app.
  'client-address': { points: 60, seconds: minute },
  client: { points: 600, seconds: minute },
  // New accounts, and questions whether a username is free: more than a classroom needs, fewer than a robot wants.
  'sign-up': { points: 30, seconds: hour },
  'name-check': { points: 120, seconds: 10 * minute },
  // New passwords: of a person, from a network, and after a recovery of a person in one browser.
  'new-password-of': { points: 10, seconds: hour },
  'new-password-from': { points: 60, seconds: hour },
  'new-password-after': { points: 10, seconds: hour },
  // New lists of recovery codes, each of ten hashes.
  'new-codes-of': { points: 5, seconds: hour },
  'new-codes-from': { points: 30, seconds: hour },
  // Test messages through the person's own relay addresses.
  'relay-tests': { points: 5, seconds: hour },
} satisfies Record<string, Window>

type Name = keyof typeof limits

export type Limits = ReturnType<typeof openLimits>

/** Opens the limits that requests count against. */
export function openLimits(attempts: AttemptStore) {
  const ofKey = (name: Name) => attemptLimiter(attempts, { name, ...limits[name] })
  const ofNetwork = (name: Name) => networkLimiter(attempts, { name, ...limits[name] })
  return {
    clients: clientAttempts(ofNetwork('client-address'), ofKey('client')),
    signUpLimit: { accounts: ofNetwork('sign-up'), names: ofNetwork('name-check') },
    /** Limits of work that hashes, counted before the work: each hash costs about 30 ms of a core. */
    hashLimits: {
      passwords: ofBoth(ofKey('new-password-of'), ofNetwork('new-password-from')),
      // By person and browser, which gave the proof: password changes by others do not lock the owner out.
      recoveries: ofKey('new-password-after'),
      codes: ofBoth(ofKey('new-codes-of'), ofNetwork('new-codes-from')),
    },
    emailLimits: { tests: ofKey('relay-tests') },
  }
}

type OfKey = ReturnType<typeof attemptLimiter>
type OfNetwork = ReturnType<typeof networkLimiter>

const ofBoth = (people: OfKey, networks: OfNetwork) => ({
  /** Counts one; returns the seconds to wait when the person or the network is over its limit, else 0. */
  take: async (personId: string, address: string): Promise<number> =>
    (await people.fail(personId)) || networks.fail(address),
})

/** Counts failed client authentications. Only the narrowest network of an address blocks; the others slow failures down. */
function clientAttempts(pair: OfNetwork, client: OfKey) {
  const about = (clientId: string | undefined) => (clientId === undefined ? '' : sha256(clientId))
  return {
    blockedFor: (clientId: string, address: string) => pair.blockedFor(address, about(clientId)),
    async fail(clientId: string | undefined, address: string) {
      const wait = await pair.fail(address, about(clientId))
      return clientId === undefined ? wait : Math.max(wait, await client.fail(sha256(clientId)))
    },
  }
}

export type Limit = { name: string; points: number; seconds: number }

const mostRemembered = 10_000

/** Limits how often a key may fail in a window. The count is in the shared database, so that all nodes count together. */
export function attemptLimiter(attempts: AttemptStore, { name, points, seconds }: Limit) {
  const { now } = attempts
  // Keys over their limit are cached, so that a flood of requests does not become a flood of writes.
  const blocked = new Map<string, number>()
  const blockedFor = (key: string) => Math.max(0, Math.ceil(((blocked.get(key) ?? 0) - now().getTime()) / 1000))
  const block = (key: string, until: number) => {
    if (blocked.size >= mostRemembered) blocked.clear()
    blocked.set(key, until)
  }
  return {
    /** Returns the seconds until a key over its limit may try again, as far as this process knows. */
    blockedFor,
    /** Counts one; returns the seconds to wait if the key is over its limit, else 0. A wider network has `factor` times the limit. */
    async fail(key: string, factor = 1): Promise<number> {
      if (blockedFor(key) > 0) return blockedFor(key)
      const wait = await attempts.count(`${name}:${key}`, { points: points * factor, seconds })
      if (wait > 0) block(key, now().getTime() + wait * 1000)
      return wait
    },
  }
}

/** Limits client addresses: an address counts for each of its networks, the narrowest first, until one is over its limit. */
export function networkLimiter(attempts: AttemptStore, limit: Limit) {
  const limiter = attemptLimiter(attempts, limit)
  // `about` gives an address separate counts, such as one for each app.
  const keysOf = (address: string, about: string) =>
    networksOf(address).map(({ name, factor }) => ({ key: about === '' ? name : `${name} ${about}`, factor }))
  return {
    /** Returns the seconds until the narrowest network may try again, as far as this process knows; wider ones do not count. */
    blockedFor: (address: string, about = '') => limiter.blockedFor(keysOf(address, about)[0]?.key ?? ''),
    async fail(address: string, about = ''): Promise<number> {
      for (const { key, factor } of keysOf(address, about)) {
        const wait = await limiter.fail(key, factor)
        if (wait > 0) return wait
      }
      return 0
    },
  }
}

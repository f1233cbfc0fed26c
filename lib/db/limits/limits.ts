import type { AttemptStore } from '#lib/account/throttle/attempt'
import { sha256 } from '#lib/crypto/hash'
import { networksOf } from '#lib/text/network'
import type { AttemptTable, Window } from './attempts.ts'

const [minute, hour] = [60, 3600]

/** Every limit, by the prefix of its keys. A /56 or /48 of IPv6 has a multiple of the limit (networksOf). */
const limits = {
  // Wrong client credentials from one network: for one app, or for all public and unknown apps together.
  'client-address': { points: 60, seconds: minute },
  // Wrong client credentials of one app from all networks.
  client: { points: 600, seconds: minute },
  // Requests that one app without credentials pushes from one network. The window is as long as a pushed request is kept.
  'pushed-requests': { points: 300, seconds: 90 },
  // Approvals of one person for one app. Apps that renew sign-ins in ten tabs every five minutes need 120.
  approvals: { points: 1000, seconds: hour },
  // New accounts from one network: enough for a classroom, too few for a robot.
  'sign-up': { points: 30, seconds: hour },
  // Checks from one network whether a username is free.
  'name-check': { points: 120, seconds: 10 * minute },
  // Estimates from one network of passwords that are being typed.
  'password-strength': { points: 300, seconds: 10 * minute },
  // New passwords of one person.
  'new-password-of': { points: 10, seconds: hour },
  // New passwords from one network.
  'new-password-from': { points: 60, seconds: hour },
  // New passwords after a recovery, for each person and browser.
  'new-password-after': { points: 10, seconds: hour },
  // New lists of recovery codes of one person; a list takes ten hashes.
  'new-codes-of': { points: 5, seconds: hour },
  // New lists of recovery codes from one network.
  'new-codes-from': { points: 30, seconds: hour },
  // Letters by which one person invites others to teams.
  'team-letters': { points: 30, seconds: 24 * hour },
  // Letters that invite one address to teams, from everyone.
  'team-letters-to': { points: 10, seconds: 24 * hour },
  // Requests to the API of teams, and dynamic registrations, from one network.
  'api-address': { points: 600, seconds: minute },
  // Requests with one API token.
  'api-token': { points: 300, seconds: minute },
  // Offers of apps by one person, each of which reveals whether a team id exists.
  'app-offers': { points: 30, seconds: 24 * hour },
  // Look-ups of DNS proofs by one person, and for one team.
  'dns-checks-of': { points: 30, seconds: hour },
  'dns-checks-for': { points: 30, seconds: hour },
  // Replays of the security events of one app; each may send the events of a day again.
  'event-replays': { points: 5, seconds: hour },
  // Relay addresses that one person switches on, and e-mail addresses that they let an app see: the app may hear of each.
  'address-changes': { points: 60, seconds: hour },
  // Relay addresses that one person makes by hand; deleted ones count too, so that a person cannot collect names.
  'addresses-by-hand': { points: 20, seconds: 24 * hour },
  // Test messages of one person through their own relay addresses.
  'relay-tests': { points: 5, seconds: hour },
} satisfies Record<string, Window>

type Name = keyof typeof limits

export type Limits = ReturnType<typeof openLimits>

/** Opens the limits on requests. */
export function openLimits(attempts: AttemptTable) {
  const ofKey = (name: Name) => attemptLimiter(attempts, { name, ...limits[name] })
  const ofNetwork = (name: Name) => networkLimiter(attempts, { name, ...limits[name] })
  return {
    clients: clientAttempts(ofNetwork('client-address'), ofKey('client')),
    pushes: pushedRequests(ofNetwork('pushed-requests')),
    approvals: approvalsOf(ofKey('approvals')),
    signUpLimit: { accounts: ofNetwork('sign-up'), names: ofNetwork('name-check') },
    strengthLimit: ofNetwork('password-strength'),
    /**
     * Limits on work that hashes. The attempt is counted before the hashing, because each hash costs about 30 ms of a
     * core.
     */
    hashLimits: {
      passwords: ofBoth(ofKey('new-password-of'), ofNetwork('new-password-from')),
      // The key is the person and the browser of the recovery, so that password changes by others do not lock the owner
      // out.
      recoveries: ofKey('new-password-after'),
      codes: ofBoth(ofKey('new-codes-of'), ofNetwork('new-codes-from')),
    },
    apiLimits: { addresses: ofNetwork('api-address'), tokens: ofKey('api-token') },
    teamLimits: {
      letters: invitationLetters(ofKey('team-letters'), ofKey('team-letters-to')),
      offers: { take: (personId: string) => ofKey('app-offers').fail(personId) },
      replays: { take: (appId: string) => ofKey('event-replays').fail(sha256(appId)) },
      dnsChecks: dnsChecks(ofKey('dns-checks-of'), ofKey('dns-checks-for')),
    },
    emailLimits: {
      tests: ofKey('relay-tests'),
      changes: ofKey('address-changes'),
      byHand: returnable(attempts, 'addresses-by-hand'),
    },
  }
}

type OfKey = ReturnType<typeof attemptLimiter>
type OfNetwork = ReturnType<typeof networkLimiter>

/** Counts in the database alone: a process that remembers a full key would not learn of a count that is given back. */
const returnable = (attempts: AttemptTable, name: Name) => ({
  fail: (key: string): Promise<number> => attempts.count(`${name}:${key}`, limits[name]),
  giveBack: (key: string): Promise<void> => attempts.takeBack(`${name}:${key}`),
})

const ofBoth = (people: OfKey, networks: OfNetwork) => ({
  /** Counts one attempt; returns the seconds to wait if the person or the network is over its limit, else 0. */
  take: async (personId: string, address: string): Promise<number> =>
    (await people.fail(personId)) || networks.fail(address),
})

const invitationLetters = (people: OfKey, inboxes: OfKey) => ({
  /** Counts a letter; returns the seconds to wait if its sender or its recipient is over the limit, else 0. */
  take: async (personId: string, address: string): Promise<number> =>
    (await people.fail(personId)) || inboxes.fail(sha256(address)),
})

const dnsChecks = (people: OfKey, teams: OfKey) => ({
  take: async (personId: string, teamId: string): Promise<number> =>
    (await people.fail(personId)) || teams.fail(sha256(teamId)),
})

/**
 * Counts failed client authentications. Only the narrowest network of an address is blocked; wider networks over their
 * limit only delay further failures.
 */
function clientAttempts(pair: OfNetwork, client: OfKey) {
  const about = (clientId: string | undefined) => (clientId === undefined ? '' : sha256(clientId))
  return {
    // Hashes the client id only while a block is in force, because every request of an app calls this function.
    blockedFor: (clientId: string, address: string) =>
      pair.hasBlocks() ? pair.blockedFor(address, about(clientId)) : 0,
    async fail(clientId: string | undefined, address: string) {
      const wait = await pair.fail(address, about(clientId))
      return clientId === undefined ? wait : Math.max(wait, await client.fail(sha256(clientId)))
    },
  }
}

const pushedRequests = (pair: OfNetwork) => ({
  count: (clientId: string, address: string): Promise<number> => pair.fail(address, sha256(clientId)),
})

const approvalsOf = (pair: OfKey) => ({
  count: (personId: string, clientId: string): Promise<number> => pair.fail(`${personId} ${sha256(clientId)}`),
})

export type Limit = { name: string; points: number; seconds: number }

const mostRemembered = 10_000

/**
 * Limits how many attempts a key may make in a window. The count is in the shared database, so that the limit holds
 * across nodes.
 */
export function attemptLimiter(attempts: AttemptStore, { name, points, seconds }: Limit) {
  const { now } = attempts
  // Caches keys over their limit, so that a flood of requests does not become a flood of writes.
  const blocked = new Map<string, number>()
  let lastEnd = 0
  const blockedFor = (key: string) => Math.max(0, Math.ceil(((blocked.get(key) ?? 0) - now().getTime()) / 1000))
  const block = (key: string, until: number) => {
    if (blocked.size >= mostRemembered) blocked.clear()
    blocked.set(key, until)
    lastEnd = Math.max(lastEnd, until)
  }
  return {
    /**
     * Returns the seconds until a key over its limit may try again; knows only the keys that this process has
     * blocked.
     */
    blockedFor,
    /** Returns whether any key may be blocked. */
    hasBlocks: () => now().getTime() < lastEnd,
    /**
     * Counts one attempt; returns the seconds to wait if the key is over its limit, else 0. A wider network has
     * `factor` times the limit.
     */
    async fail(key: string, factor = 1): Promise<number> {
      if (blockedFor(key) > 0) return blockedFor(key)
      const wait = await attempts.count(`${name}:${key}`, { points: points * factor, seconds })
      if (wait > 0) block(key, now().getTime() + wait * 1000)
      return wait
    },
  }
}

/**
 * Limits client addresses. An attempt counts for each network of the address, the narrowest first, until one is over
 * its limit.
 */
export function networkLimiter(attempts: AttemptStore, limit: Limit) {
  const limiter = attemptLimiter(attempts, limit)
  // `about` separates the counts of one address, for example by app.
  const keysOf = (address: string, about: string) =>
    networksOf(address).map(({ name, factor }) => ({ key: about === '' ? name : `${name} ${about}`, factor }))
  return {
    /**
     * Returns the seconds until the narrowest network may try again, as far as this process knows. Wider networks do
     * not block.
     */
    blockedFor: (address: string, about = '') => limiter.blockedFor(keysOf(address, about)[0]?.key ?? ''),
    hasBlocks: limiter.hasBlocks,
    async fail(address: string, about = ''): Promise<number> {
      for (const { key, factor } of keysOf(address, about)) {
        const wait = await limiter.fail(key, factor)
        if (wait > 0) return wait
      }
      return 0
    },
  }
}

import { aliasStore } from '#lib/db/account/alias-store'
import type { Database } from '#lib/db/engine/client'
import type { Statements } from '#lib/db/engine/statements'
import { attemptStore } from '#lib/db/limits/attempts'
import { authorizationStore } from '#lib/db/oauth/authorization-store'
import { pushedRequestStore } from '#lib/db/oauth/pushed-request-store'
import { tokenStore } from '#lib/db/oauth/token-store'
import { relayStore } from '#lib/db/relay/relay-store'
import { signInStatements } from '#lib/db/sign-in/sign-in-statements'
import { usageQueue } from '#lib/db/usage/usage-queue'
import type { NewAuthorization } from '#lib/oauth/store'

/** Returns an approval with as few values as its row needs. */
const approval = (id: string, now: Date) => {
  const lists = { scopes: [], resources: [], amr: [], idTokenClaims: [] }
  const times = { authTime: now, codeExpiresAt: now, createdAt: now, keepUntil: now }
  return { id, requestId: id, clientId: 'app', personId: id, ...lists, ...times } as unknown as NewAuthorization
}

/**
 * Runs each statement of an app's requests once, and those of a sign-in that need no row; the others are in
 * lib/db/sign-in/plans.test.ts. Stores no row.
 */
export function runRequestStatements(statements: Statements, id: string, now: Date): Promise<unknown>[] {
  const [authorizations, tokens] = [authorizationStore(statements), tokenStore(statements)]
  const [pushed, attempts] = [pushedRequestStore(statements), attemptStore(statements, () => now)]
  const signIns = signInStatements(statements, 14)
  const aliases = aliasStore(statements, { makeName: () => 'name', addressOf: (name) => name })
  const spent = { refreshHash: 'h', refreshIdleUntil: now, refreshUntil: now, keepUntil: undefined, now }
  const parameters = { id, clientId: id, requestId: id, parameters: {}, expiresAt: now }
  const counts = new Map([`secret ${id}`, `key ${id}`, 'sign_ins'].map((what) => [`${id}\0${what}`, 1]))
  const fault = (reason: unknown) => {
    throw reason
  }
  return [
    authorizations.findByCode(id),
    authorizations.findByRequest(id),
    authorizations.findAuthorization(id),
    authorizations.findForRefresh({ id, hash: 'h', now, retrySeconds: 30 }),
    authorizations.rotateRefresh({ id, current: 'c', from: 'f', to: 't', now, refreshIdleUntil: now }),
    authorizations.extendRefresh({ id, hash: 'h', refreshIdleUntil: now }),
    authorizations.revokeReplayed({ id, hash: 'h', now, retrySeconds: 30 }),
    authorizations.spendCode({ requestId: id, ...spent }),
    authorizations.spendCode({ requestId: id, ...spent, keepUntil: now }),
    authorizations.revokeAuthorization(id, now),
    // Without a stored consent, nothing is inserted.
    authorizations.insertAuthorization(approval(id, now), { granted: [], emailChoice: 'none', liveSessionId: id }),
    tokens.findGrant(id, 'jti'),
    tokens.findTokenState(id, 'jti'),
    tokens.revokeAccessToken(id, now),
    tokens.rememberAssertion(id, now, now),
    tokens.rememberProof(id, now, now),
    attempts.take([{ key: id, free: 1, longest: 1, window: 1 }]),
    attempts.giveBack({ key: id, points: 1, expire: now, heldUntil: 0 }, 1),
    attempts.waitFor(id),
    attempts.count(id, { points: 1, seconds: 1 }),
    attempts.takeBack(id),
    attempts.remove(id),
    pushed.insertPushedRequest(parameters),
    pushed.findPushedRequest(id, id, now),
    pushed.removePushedRequest(id),
    aliases.findAddress(id, id),
    signIns.findCredentials(id, now),
    signIns.findCredentials(`${id}@example.org`, now),
    signIns.knownVersion(id),
    signIns.replacePasswordHash(id, 'before', 'after'),
    signIns.findSession(id, now),
    signIns.endReplacedSession(id, now),
    usageQueue(counts, { statements, now: () => now, fault }).flush(),
  ]
}

/** Stores a person with an alias of the same name, and runs each statement of a mail once. */
export async function runMailStatements(
  database: Database,
  statements: Statements,
  id: string,
  now: Date,
): Promise<void> {
  const texts = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: '' }
  await database.prisma.person.create({ data: { id, username: id, ...texts, profileUpdatedAt: now, createdAt: now } })
  await database.prisma.alias.create({ data: { address: id, personId: id, createdAt: now } })
  const store = relayStore(
    database,
    attemptStore(statements, () => now),
  )
  await Promise.all([
    store.findRoute(id),
    store.keepReverse(id, { alias: id, target: 'news@shop.example' }, now),
    store.findReverse(id),
    store.addressesOf(id),
    ...(['forwarded', 'blocked', 'replied'] as const).map((what) => store.count(id, what, now)),
    store.wasTaken(id, now),
    store.keepTaken(id, now),
    store.keepThread(id, { alias: id, original: undefined }, now),
    store.findThreads(id, [id]),
    store.keepSent(id, { alias: id, prints: Buffer.alloc(1) }, now, now),
    store.findSent(id, [id], now),
    store.latestSent(id, 5, now),
    store.lastAddressChange(id),
    store.noteReturned(id, id, now, now),
    store.pauseMail(id, now),
  ])
}

import { sha256 } from '#lib/crypto/hash'
import { failureQueue } from '#lib/db/apps/failure-queue'
import { statementsOf } from '#lib/db/engine/statements'
import { keyStore } from '#lib/db/keys/key-store'
import { attemptLimiter, networkLimiter } from '#lib/db/limits/attempt-limiter'
import { authorizationStore } from '#lib/db/oauth/authorization-store'
import { findClient } from '#lib/db/oauth/client-store'
import { tokenStore } from '#lib/db/oauth/token-store'
import { openSigningKeys } from '#lib/keys/signing-keys'
import type { Attempts, OAuthContext, Refusal } from '#lib/oauth/context'
import { remember } from './client-cache.ts'
import type { Context } from './context.ts'

type Base = Pick<Context, 'config' | 'log' | 'metrics' | 'database' | 'attempts' | 'secrets' | 'now' | 'random'>

/** A changed registration is seen by every process within these seconds. */
const clientCache = { seconds: 5, most: 5_000 }

/** Gives the protocol core what it asks for. */
export async function composeOAuth(base: Base): Promise<OAuthContext> {
  const { config, database, secrets, now, random } = base
  const statements = statementsOf(database)
  return {
    issuer: config.issuer,
    accountUrl: config.accountUrl,
    serviceName: config.serviceName,
    relayDomain: config.relayDomain,
    lifetimes: config.lifetimes,
    now,
    random,
    secrets,
    keys: await openSigningKeys({ store: keyStore(database.prisma), secrets, now }),
    store: {
      findClient: remember((id: string) => findClient(database.prisma, id), clientCache),
      ...authorizationStore(statements),
      ...tokenStore(statements),
    },
    attempts: clientAttempts(base),
    refused: refusalNotes(base),
  }
}

/**
 * Sixty failures a minute for an app from one address, and sixty from one address for no app in particular; those of the
 * wider networks of IPv6, and six hundred for an app, only slow the failing ones down.
 */
function clientAttempts({ attempts }: Base): Attempts {
  const pair = networkLimiter(attempts, { name: 'client-address', points: 60, seconds: 60 })
  const client = attemptLimiter(attempts, { name: 'client', points: 600, seconds: 60 })
  const about = (clientId: string | undefined) => (clientId === undefined ? '' : sha256(clientId))
  return {
    blockedFor: (clientId, address) => pair.blockedFor(address, about(clientId)),
    async fail(clientId, address) {
      const wait = await pair.fail(address, about(clientId))
      return clientId === undefined ? wait : Math.max(wait, await client.fail(sha256(clientId)))
    },
  }
}

/** The exact reason goes to the log and to the app's recent failures, its code to a metric, after the answer (design §9). */
function refusalNotes({ log, metrics, database, now }: Base) {
  const record = failureQueue(database.prisma, (fault) => log.warn({ err: fault }, 'a refusal could not be recorded'))
  return ({ endpoint, clientId, error }: Refusal) => {
    const { code, reason, detail } = error
    metrics.refusals.inc({ endpoint, code })
    log.info({ endpoint, client: clientId, code, reason }, 'refused')
    if (clientId === undefined) return
    const id = sha256([clientId, endpoint, code, reason].join('\0'))
    record({ id, appId: clientId, endpoint, code, reason, detail: JSON.stringify(detail), at: now() })
  }
}

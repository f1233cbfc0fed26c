import { sessionDays } from '#lib/account/signed-in/session'
import { statementsOf } from '#lib/db/engine/statements'
import { keyStore } from '#lib/db/keys/key-store'
import type { Limits } from '#lib/db/limits/limits'
import { findApis } from '#lib/db/oauth/api-store'
import { authorizationStore } from '#lib/db/oauth/authorization-store'
import { findClient } from '#lib/db/oauth/client-store'
import { pushedRequestStore } from '#lib/db/oauth/pushed-request-store'
import { tokenStore } from '#lib/db/oauth/token-store'
import type { Outbound } from '#lib/http/outbound'
import { openSigningKeys } from '#lib/keys/signing-keys'
import { openClientKeys } from '#lib/oauth/client/client-keys'
import type { OAuthContext, Refusal } from '#lib/oauth/context'
import { remember } from './client-cache.ts'
import type { RecordFailure } from './failures.ts'
import type { Parts } from './parts.ts'

/** Seconds after which every process uses a changed registration. */
const clientCache = { seconds: 5, most: 5_000, characters: 10_000_000 }

/** Composes the protocol core. */
export async function composeOAuth(
  parts: Parts,
  limits: Pick<Limits, 'clients' | 'pushes' | 'approvals'>,
  outbound: Pick<Outbound, 'getJson'>,
  record: RecordFailure,
): Promise<OAuthContext> {
  const { config, database, secrets, now, random } = parts
  const statements = statementsOf(database)
  return {
    issuer: config.issuer,
    accountUrl: config.accountUrl,
    serviceName: config.serviceName,
    relayDomain: config.relayDomain,
    lifetimes: { ...config.lifetimes, session: sessionDays.absolute * 86_400 },
    now,
    random,
    secrets,
    keys: await openSigningKeys({ store: keyStore(database.prisma), secrets, now }, parts.signingThread),
    store: {
      findClient: remember((id: string) => findClient(database.prisma, id), clientCache),
      findApis: (teamId) => findApis(database.prisma, teamId),
      ...authorizationStore(statements),
      ...tokenStore(statements),
      ...pushedRequestStore(statements),
    },
    clientKeys: openClientKeys({ getJson: outbound.getJson, now }),
    attempts: limits.clients,
    pushes: limits.pushes,
    approvals: limits.approvals,
    usage: parts.usage,
    refused: refusalNotes(parts, record),
    restored: (clientId) => {
      parts.metrics.restoredRefreshes.inc()
      parts.log.warn({ client: clientId }, 'accepted a refresh token that is newer than the restored backup')
    },
  }
}

/**
 * Records a refusal after the response: its reason in the log and in the app's recent failures, its code in a metric
 * (design §9).
 */
function refusalNotes({ log, metrics, usage }: Parts, record: RecordFailure) {
  return ({ endpoint, clientId, error, isNotice }: Refusal) => {
    const { code, reason, detail } = error
    if (!isNotice) metrics.refusals.inc({ endpoint, code })
    log.info({ endpoint, client: clientId, code, reason }, isNotice ? 'partly refused' : 'refused')
    if (clientId === undefined) return
    if (!isNotice) usage.count(clientId, 'failures')
    record({ appId: clientId, endpoint, code, reason, detail })
  }
}

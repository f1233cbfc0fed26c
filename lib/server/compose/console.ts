import { makeSecret, makeSecretId, mostLiveSecrets } from '#lib/apps/secret'
import { splitAppScopes } from '#lib/apps/sensitive-scopes'
import type { TeamAppStore } from '#lib/console/app/store'
import type { ActStore } from '#lib/console/audit/act'
import type { EventReceiverStore } from '#lib/console/events/store'
import type { FailureStore } from '#lib/console/failures/failure'
import type { RegistrationStore } from '#lib/console/registration/store'
import type { TeamStore } from '#lib/console/team/store'
import type { TeamApiStore } from '#lib/console/team-apis/store'
import type { TokenStore } from '#lib/console/tokens/store'
import type { SettlingStore, TransferStore } from '#lib/console/transfer/store'
import type { TrialStore } from '#lib/console/trial/store'
import type { UsageStore } from '#lib/console/usage/store'
import { actStore } from '#lib/db/console/act-store'
import { teamAppStore } from '#lib/db/console/team-app-store'
import { teamStore } from '#lib/db/console/team-store'
import { tokenStore } from '#lib/db/console/token-store'
import { eventReceiverStore } from '#lib/db/events/receiver-store'
import { failureStore } from '#lib/db/failures/failure-store'
import { registrationStore } from '#lib/db/registration/registration-store'
import { teamApiStore } from '#lib/db/team-apis/team-api-store'
import { settlingStore } from '#lib/db/transfer/settling-store'
import { transferStore } from '#lib/db/transfer/transfer-store'
import { trialStore } from '#lib/db/trial/trial-store'
import { usageStore } from '#lib/db/usage/usage-store'
import { newSubject } from '#lib/oauth/authorize/complete'
import { makeProof } from '#lib/relay/sender-domains/mail-domain'
import { composeProofs, type ProofParts } from './console-proof.ts'
import type { Parts } from './parts.ts'

/** The storage of the developer console. */
export type ConsoleStores = {
  teams: TeamStore
  teamApps: TeamAppStore
  acts: ActStore
  tokens: TokenStore
  registrations: RegistrationStore
  appUsage: UsageStore
  teamApis: TeamApiStore
  transfers: TransferStore
  settling: SettlingStore
  failures: FailureStore
  trials: TrialStore
  eventReceivers: EventReceiverStore
} & ProofParts

/** Composes the storage of the developer console. */
export function composeConsole(parts: Parts): ConsoleStores {
  const {
    database: { prisma },
    random,
  } = parts
  const credentials = { makeSecret, makeSecretId, mostLiveSecrets, makeProof }
  return {
    teams: teamStore(prisma),
    teamApps: teamAppStore(prisma, { random, credentials }),
    acts: actStore(prisma),
    appUsage: usageStore(prisma),
    tokens: tokenStore(prisma),
    registrations: registrationStore(prisma),
    teamApis: teamApiStore(prisma, { random, credentials }),
    transfers: transferStore(prisma, parts.config.reviewsScopes ? (scopes) => splitAppScopes(scopes) : undefined),
    settling: settlingStore(prisma, () => newSubject(random)),
    failures: failureStore(prisma),
    ...composeProofs(parts),
    trials: trialStore(prisma),
    eventReceivers: eventReceiverStore(prisma),
  }
}

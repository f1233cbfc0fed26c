import type { AdminContext } from '#lib/admin/context'
import type { SystemState } from '#lib/admin/system'
import { keyStore } from '#lib/db/keys/key-store'
import { nodeStore } from '#lib/db/nodes/node-store'
import { factorResets } from '#lib/db/operators/factor-resets'
import { failuresOfApps } from '#lib/db/operators/failures-of-apps'
import { invitations } from '#lib/db/operators/invitations'
import { operatorPeople } from '#lib/db/operators/operator-people'
import { operatorRecord } from '#lib/db/operators/operator-record'
import { operatorStore } from '#lib/db/operators/operator-store'
import { operatorTeams } from '#lib/db/operators/operator-teams'
import { systemStore } from '#lib/db/operators/system-store'
import { scopeQueue } from '#lib/db/scopes/scope-queue'
import { keyStates } from '#lib/keys/key-states'
import { knownScopes } from '#lib/oauth/scope'
import { readJobStates } from '#lib/server/jobs/job-states'
import { makeIsAmong, plainAddress } from '#lib/text/network'
import type { Parts } from './parts.ts'

/** The storage of the operators' pages, and the networks from which they can be reached. */
export type AdminParts = Pick<
  AdminContext,
  | 'operators'
  | 'operatorPeople'
  | 'operatorRecord'
  | 'operatorTeams'
  | 'scopeQueue'
  | 'invitations'
  | 'factorResets'
  | 'isAdminNetwork'
  | 'readSystem'
  | 'failuresOfApps'
>

/** Composes the operators' pages; `queued` is called when logout tokens may be due. */
export function composeAdmin(parts: Parts, queued: () => void): AdminParts {
  const { database, config, random } = parts
  const isAmong = makeIsAmong(config.adminNetworks)
  return {
    operators: operatorStore(database.prisma),
    operatorPeople: operatorPeople(database, queued),
    operatorTeams: operatorTeams(database),
    scopeQueue: scopeQueue(database.prisma, knownScopes),
    invitations: invitations(database.prisma),
    operatorRecord: operatorRecord(database.prisma),
    factorResets: factorResets(database.prisma, random, queued),
    failuresOfApps: failuresOfApps(database.prisma),
    readSystem: () => readSystem(parts),
    isAdminNetwork: (address) => config.adminNetworks.length === 0 || isAmong(plainAddress(address)),
  }
}

async function readSystem({ database, config, now }: Parts): Promise<SystemState> {
  const { prisma } = database
  const [keys, nodes] = await Promise.all([keyStore(prisma).listKeys(now()), nodeStore(database).list()])
  const stateOf = keyStates(keys, now())
  return {
    ...(await systemStore(prisma).read(now())),
    nodes,
    jobs: await readJobStates(database),
    keys: keys.map((key) => ({
      kid: key.kid,
      algorithm: key.algorithm,
      state: stateOf(key),
      currentFrom: key.currentFrom,
      goneAt: key.goneAt ?? undefined,
    })),
    settings: config.inForce,
  }
}

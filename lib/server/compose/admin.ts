import type { AdminContext } from '#lib/admin/context'
import { factorResets } from '#lib/db/operators/factor-resets'
import { operatorPeople } from '#lib/db/operators/operator-people'
import { operatorRecord } from '#lib/db/operators/operator-record'
import { operatorStore } from '#lib/db/operators/operator-store'
import { operatorTeams } from '#lib/db/operators/operator-teams'
import { makeIsAmong, plainAddress } from '#lib/text/network'
import type { Parts } from './parts.ts'

/** The storage of the operators' pages, and the networks from which they can be reached. */
export type AdminParts = Pick<
  AdminContext,
  'operators' | 'operatorPeople' | 'operatorRecord' | 'operatorTeams' | 'factorResets' | 'isAdminNetwork'
>

/** Composes the operators' pages; `queued` is called when logout tokens may be due. */
export function composeAdmin({ database, config, random }: Parts, queued: () => void): AdminParts {
  const isAmong = makeIsAmong(config.adminNetworks)
  return {
    operators: operatorStore(database.prisma),
    operatorPeople: operatorPeople(database, queued),
    operatorTeams: operatorTeams(database),
    operatorRecord: operatorRecord(database.prisma),
    factorResets: factorResets(database.prisma, random, queued),
    isAdminNetwork: (address) => config.adminNetworks.length === 0 || isAmong(plainAddress(address)),
  }
}

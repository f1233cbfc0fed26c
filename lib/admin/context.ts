import type { AccountContext } from '#lib/account/context'
import type { Invitations } from '#lib/admin/invitations/store'
import type { OperatorStore } from '#lib/admin/operators/store'
import type { FactorResets, OperatorPeople } from '#lib/admin/people/store'
import type { ScopeQueue } from '#lib/admin/scopes/store'
import type { OperatorTeams } from '#lib/admin/teams/store'
import type { FailuresOfApps } from './failures.ts'
import type { OperatorRecord } from './record.ts'
import type { SystemState } from './system.ts'

/** The parts that every handler of the operators' pages needs. */
export type AdminContext = AccountContext & {
  operators: OperatorStore
  operatorPeople: OperatorPeople
  factorResets: FactorResets
  operatorRecord: OperatorRecord
  operatorTeams: OperatorTeams
  scopeQueue: ScopeQueue
  invitations: Invitations
  failuresOfApps: FailuresOfApps
  readSystem(): Promise<SystemState>
  /** Returns whether the operators' pages can be reached from an address (setting ADMIN_NETWORKS). */
  isAdminNetwork(address: string): boolean
}

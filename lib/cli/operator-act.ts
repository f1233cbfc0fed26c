import type { Act, ActKind } from '#lib/console/audit/act'
import type { Call } from './command.ts'

/** Returns an act of the operator for the audit trail of a team. */
export const operatorAct = ({ now, random }: Pick<Call, 'now' | 'random'>, kind: ActKind, target = ''): Act => ({
  id: random(16).toString('base64url'),
  at: now,
  actor: '',
  kind,
  target,
  before: {},
  after: {},
})

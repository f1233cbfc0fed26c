import type { ActivityKind } from '#lib/account/activity/activity'
import type { Recorded } from '#lib/account/activity/recorded'
import type { Prisma } from '#lib/db/generated/sqlite/client'

const hour = 3_600_000

/** The kinds of the operators' record about people, each with the event that the person reads. */
const events = {
  disabled: 'disabled_by_operator',
  enabled: 'enabled_by_operator',
  signed_out: 'signed_out_by_operator',
  unlocked: 'unlocked_by_operator',
  reset_asked: 'factor_reset_asked',
  reset_cancelled: 'factor_reset_cancelled',
  factors_reset: 'factors_reset',
  deletion_asked: 'deletion_by_operator',
  deletion_cancelled: 'deletion_called_off',
  deleted_now: 'deletion_by_operator',
  created: 'account_by_operator',
  profile_changed: 'profile_by_operator',
  picture_set: 'picture_by_operator',
  link_made: 'recovery_link_made',
  role_given: 'operator_role_given',
  role_taken: 'operator_role_taken',
} as const satisfies Record<string, ActivityKind>

/** Writes an act about a person to the operators' record, and with further details to the activity that the person reads. */
export async function recordAct(
  tx: Prisma.TransactionClient,
  personId: string,
  act: keyof typeof events,
  { id, at, actor, reason }: Recorded,
  more: Record<string, string> = {},
): Promise<void> {
  await tx.operatorAct.create({ data: { id, at, actor, act, personId, target: '', reason } })
  const detail = JSON.stringify({ ...(reason !== '' && { reason }), ...more })
  await tx.activity.create({ data: { id, personId, at, kind: events[act], detail, address: '', device: '' } })
}

/** Records that an operator looked at a person: one line for each hour, in the record and for the person. */
export async function recordLook(
  tx: Prisma.TransactionClient,
  personId: string,
  actor: string,
  at: Date,
): Promise<void> {
  const bucket = Math.floor(at.getTime() / hour)
  const id = `look:${personId}:${bucket}`
  const own = `${id}:${actor}`
  await tx.operatorAct.upsert({
    where: { id: own },
    create: { id: own, at, actor, act: 'looked', personId, target: '', reason: '' },
    update: { at, looks: { increment: 1 } },
  })
  const event = { personId, kind: 'operator_looked', detail: '{}', address: '', device: '' }
  await tx.activity.upsert({ where: { id }, create: { id, at, ...event }, update: { at } })
}

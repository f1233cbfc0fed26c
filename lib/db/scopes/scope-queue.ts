import type { Recorded } from '#lib/account/activity/recorded'
import type { Decided, ScopeDecision, ScopeQueue, WaitingScopes } from '#lib/admin/scopes/store'
import { writeAct } from '#lib/db/console/act-store'
import type { Prisma } from '#lib/db/engine/client'
import type { Prisma as Generated } from '#lib/db/generated/sqlite/client'

type Transaction = Generated.TransactionClient

/** Stores the sensitive scopes that wait for operators; `order` is the order in which scopes of apps are stored. */
export const scopeQueue = (prisma: Prisma, order: readonly string[]): ScopeQueue => ({
  async list(take) {
    const sorted = { orderBy: { waitingSince: 'asc' }, take } as const
    const select = { name: true, team: { select: { id: true, name: true } }, ...deciding } as const
    const [apps, apis] = await Promise.all([
      prisma.app.findMany({ where: waitingApps, ...sorted, select: { id: true, ...select } }),
      prisma.api.findMany({ where: waitingApis, ...sorted, select: { identifier: true, ...select } }),
    ])
    return [
      ...apps.map(({ id, ...row }) => shown(row, { of: 'app', id })),
      ...apis.map(({ identifier: id, ...row }) => shown(row, { of: 'api', id })),
    ].toSorted((one, other) => one.since.getTime() - other.since.getTime())
  },
  async count() {
    return (await prisma.app.count({ where: waitingApps })) + (await prisma.api.count({ where: waitingApis }))
  },
  decide: (decision, recorded) => prisma.$transaction((tx) => decide(tx, decision, recorded, order)),
})

/** Scopes of a closed team and of an app that is being deleted do not wait: they would hide those of others. */
const waitingApis = { waitingSince: { not: null }, team: { closedAt: null } } as const
const waitingApps = { ...waitingApis, removeAfter: null } as const

const deciding = { teamId: true, scopes: true, waitingScopes: true, waitingSince: true, updatedAt: true } as const

type Listed = Row & { team: WaitingScopes['team'] }

const shown = (row: Listed, which: Pick<WaitingScopes, 'of' | 'id'>): WaitingScopes => ({
  ...which,
  name: row.name,
  team: row.team,
  scopes: wordsOf(row.waitingScopes),
  since: row.waitingSince ?? row.updatedAt,
  version: row.updatedAt.toISOString(),
})

type Row = {
  name: string
  teamId: string
  scopes: string
  waitingScopes: string
  waitingSince: Date | null
  updatedAt: Date
}

const wordsOf = (text: string): string[] => text.split(' ').filter(Boolean)

async function decide(
  tx: Transaction,
  decision: ScopeDecision,
  recorded: Recorded,
  order: readonly string[],
): Promise<Decided> {
  const row = await find(tx, decision)
  if (!row) return 'unknown'
  const isWaiting = decision.scopes.every((scope) => wordsOf(row.waitingScopes).includes(scope))
  // The version is compared as text: a time that no database can store must not reach it.
  const isSeen = row.updatedAt.toISOString() === decision.version
  if (isWaiting && isSeen && (await write(tx, decision, { row, order, at: recorded.at }))) {
    await record(tx, decision, row, recorded)
    return 'changed'
  }
  const now = await find(tx, decision)
  if (!now) return 'unknown'
  const [allowed, waiting] = [wordsOf(now.scopes), wordsOf(now.waitingScopes)]
  const isDone = (scope: string) => !waiting.includes(scope) && allowed.includes(scope) === decision.isApproved
  return decision.scopes.every(isDone) ? 'same' : 'stale'
}

const find = (tx: Transaction, { of, id }: ScopeDecision): Promise<Row | null> =>
  of === 'app'
    ? tx.app.findUnique({ where: { id }, select: { name: true, ...deciding } })
    : tx.api.findUnique({ where: { identifier: id }, select: { name: true, ...deciding } })

type Present = { row: Row; order: readonly string[]; at: Date }

/** Writes a decision, if the app or API still has the version of `row`, which the operator has seen. */
async function write(tx: Transaction, { of, id, scopes, isApproved }: ScopeDecision, present: Present) {
  const { row, order, at } = present
  const left = wordsOf(row.waitingScopes).filter((scope) => !scopes.includes(scope))
  const allowed = isApproved ? [...wordsOf(row.scopes), ...scopes] : wordsOf(row.scopes)
  const seen = { updatedAt: row.updatedAt, waitingScopes: row.waitingScopes }
  const data = {
    scopes: (of === 'app' ? order.filter((scope) => allowed.includes(scope)) : allowed).join(' '),
    waitingScopes: left.join(' '),
    waitingSince: left.length > 0 ? row.waitingSince : null,
    // A form of the team that was opened before the decision does not undo it.
    updatedAt: new Date(Math.max(at.getTime(), row.updatedAt.getTime() + 1)),
  }
  const { count } =
    of === 'app'
      ? await tx.app.updateMany({ where: { id, ...seen }, data })
      : await tx.api.updateMany({ where: { identifier: id, ...seen }, data })
  return count === 1
}

/** Writes the line of the operators' record, and the act that the team reads; the team does not read which operator it was. */
async function record(tx: Transaction, { of, id, scopes, isApproved }: ScopeDecision, row: Row, recorded: Recorded) {
  const { reason, ...by } = recorded
  const [kind, list] = [isApproved ? 'scopes_approved' : 'scopes_refused', scopes.join(' ')] as const
  const after = { scopes: list, ...(reason !== '' && { reason }) }
  const act = { ...by, actor: '', kind, target: id, before: {}, after }
  await writeAct(tx, row.teamId, of === 'app' ? act : { ...act, targetName: row.name })
  await tx.operatorAct.create({ data: { ...by, act: kind, target: id, reason, details: list } })
}

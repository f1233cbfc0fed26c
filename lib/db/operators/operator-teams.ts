import type { OperatorTeams } from '#lib/admin/teams/store'
import { writeAct } from '#lib/db/console/act-store'
import { changeTeam } from '#lib/db/console/closed-team'
import { changeApp } from '#lib/db/console/operator-apps'
import { teamRecords } from '#lib/db/console/team-records'
import type { Database } from '#lib/db/engine/client'
import { skeletonOf } from '#lib/text/look-alike'
import { idsByBeginning } from './by-beginning.ts'

/** Finds teams and apps for operators, and closes them. */
export const operatorTeams = (database: Database): OperatorTeams => ({
  async searchTeams(beginning, most) {
    const range = { beginning: skeletonOf(beginning), after: '', most }
    const ids = await idsByBeginning(database, { table: 'Team', column: 'skeleton' }, range)
    const rows = await database.prisma.team.findMany({
      // An id is found as a whole: a team of a file may have no skeleton.
      where: { id: { in: [...ids, beginning] } },
      select: { id: true, name: true, _count: { select: { apps: true, members: true } } },
    })
    return rows
      .toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
      .map(({ _count, ...team }) => ({ ...team, ..._count }))
  },
  async searchApps(beginning, most) {
    const ids = await idsByBeginning(database, { table: 'App', column: 'id' }, { beginning, after: '', most })
    const select = { id: true, name: true, disabledAt: true, team: { select: { id: true, name: true } } } as const
    const rows = await database.prisma.app.findMany({ where: { id: { in: ids } }, select })
    return rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
  },
  findTeam: (id, now) => teamRecords(database.prisma).find(id, now),
  setAppDisabled: (id, isDisabled, { reason, ...recorded }) =>
    database.prisma.$transaction(async (tx) => {
      const kind = isDisabled ? 'app_disabled' : 'app_enabled'
      // The team reads that the operator did it, not which one.
      const act = { ...recorded, actor: '', kind, target: id, before: {}, after: { reason } } as const
      const change = await changeApp(tx, id, isDisabled, act)
      const line = { ...recorded, act: isDisabled ? 'app_closed' : 'app_opened', target: id, reason }
      if (change === 'changed') await tx.operatorAct.create({ data: line })
      return change
    }),
  setTeamClosed: (id, isClosed, { reason, ...recorded }) =>
    database.prisma.$transaction(async (tx) => {
      const change = await changeTeam(tx, id, isClosed, recorded.at)
      if (change !== 'changed') return change
      const kind = isClosed ? 'team_closed' : 'team_opened'
      await writeAct(tx, id, { ...recorded, actor: '', kind, target: '', before: {}, after: { reason } })
      await tx.operatorAct.create({ data: { ...recorded, act: kind, target: id, reason } })
      return change
    }),
})

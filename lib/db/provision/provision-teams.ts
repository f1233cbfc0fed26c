import type { DeclaredTeam } from '#lib/apps/teams-file'
import { differ, joinPlans, type Plan, type Tools, valuesOf, type Writer } from './provision-plan.ts'

/** Plans the writes that create or rename the declared teams. */
export async function planTeams(reader: Writer, teams: DeclaredTeam[], { now }: Tools): Promise<Plan> {
  const rows = await reader.team.findMany({ where: { id: { in: teams.map((team) => team.id) } } })
  const known = new Map(rows.map((row) => [row.id, row]))
  return joinPlans(
    teams.map(({ id, name }) => {
      const before = known.get(id)
      const differences = differ(before ?? {}, { name })
      if (differences.length === 0) return {}
      const change = { op: before ? 'update' : 'create', kind: 'team', id, fields: ['name'] } as const
      const write = (writer: Writer) =>
        before
          ? writer.team.update({ where: { id }, data: { ...valuesOf(differences), updatedAt: now } })
          : writer.team.create({ data: { id, name, createdAt: now, updatedAt: now } })
      return { steps: [{ change: { ...change, fields: [...change.fields] }, differences, write }] }
    }),
  )
}

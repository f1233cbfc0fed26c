import type { DeclaredTeam } from '#lib/apps/teams-file'
import { writeAct } from '#lib/db/console/act-store'
import { skeletonOf } from '#lib/text/look-alike'
import { differ, joinPlans, type Plan, type Tools, type Writer } from './provision-plan.ts'

/** Plans the writes that create or rename the declared teams. */
export async function planTeams(reader: Writer, teams: DeclaredTeam[], tools: Tools): Promise<Plan> {
  const rows = await reader.team.findMany({ where: { id: { in: teams.map((team) => team.id) } } })
  const known = new Map(rows.map((row) => [row.id, row]))
  return joinPlans(
    teams.map(({ id, name }) => {
      const before = known.get(id)
      const differences = differ(before ?? {}, { name })
      if (differences.length === 0) return {}
      const change = { op: before ? 'update' : 'create', kind: 'team', id, fields: ['name'] } as const
      const write = (writer: Writer) => writeTeam(writer, { id, name, before: before?.name }, tools)
      return { steps: [{ change: { ...change, fields: [...change.fields] }, differences, write }] }
    }),
  )
}

type ChangedTeam = { id: string; name: string; before: string | undefined }

/** Writes a team and its act. The operator may give it a name that looks like another; then it has no skeleton. */
async function writeTeam(writer: Writer, { id, name, before }: ChangedTeam, { now, random }: Tools): Promise<void> {
  const own = skeletonOf(name)
  const alike = await writer.team.findUnique({ where: { skeleton: own }, select: { id: true } })
  const skeleton = own === '' || (alike && alike.id !== id) ? null : own
  const data = { name, skeleton, updatedAt: now }
  await writer.team.upsert({ where: { id }, create: { ...data, id, createdAt: now }, update: data })
  await writeAct(writer, id, {
    id: random(16).toString('base64url'),
    at: now,
    actor: '',
    kind: before === undefined ? 'team_created' : 'team_renamed',
    target: '',
    before: before === undefined ? {} : { name: before },
    after: { name },
  })
}

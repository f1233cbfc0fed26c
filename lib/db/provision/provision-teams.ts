import type { DeclaredTeam } from '#lib/apps/teams-file'
import type { Act, ActKind } from '#lib/console/audit/act'
import { writeAct } from '#lib/db/console/act-store'
import { skeletonOf } from '#lib/text/look-alike'
import { type Difference, differ, joinPlans, type Plan, type Tools, valuesOf, type Writer } from './provision-plan.ts'

/**
 * Plans the writes that create or change the declared teams. The operator approves a team that a file creates, unless
 * the file says otherwise.
 */
export async function planTeams(reader: Writer, teams: DeclaredTeam[], tools: Tools): Promise<Plan> {
  const rows = await reader.team.findMany({ where: { id: { in: teams.map((team) => team.id) } } })
  const known = new Map(rows.map((row) => [row.id, row]))
  return joinPlans(
    teams.map(({ id, name, trusted }) => {
      const before = known.get(id)
      const differences = differ(before ?? {}, { name, trusted: before ? trusted : (trusted ?? true) })
      if (differences.length === 0) return {}
      const fields = differences.map(({ field }) => field)
      const change = { op: before ? 'update' : 'create', kind: 'team', id, fields } as const
      const write = (writer: Writer) => writeTeam(writer, { id, name, isNew: !before, differences }, tools)
      return { steps: [{ change, differences, write }] }
    }),
  )
}

type ChangedTeam = { id: string; name: string; isNew: boolean; differences: Difference[] }

/** Writes a team and its acts. The operator may give it a name that looks like another; then it has no skeleton. */
async function writeTeam(writer: Writer, team: ChangedTeam, { now, random }: Tools): Promise<void> {
  const { id, name, isNew, differences } = team
  const own = skeletonOf(name)
  const alike = await writer.team.findUnique({ where: { skeleton: own }, select: { id: true } })
  const skeleton = own === '' || (alike && alike.id !== id) ? null : own
  const data = { ...valuesOf(differences), name, skeleton, updatedAt: now }
  await writer.team.upsert({ where: { id }, create: { ...data, id, createdAt: now }, update: data })
  const act = (kind: ActKind, values: Pick<Act, 'before' | 'after'>) =>
    writeAct(writer, id, { id: random(16).toString('base64url'), at: now, actor: '', kind, target: '', ...values })
  if (isNew) await act('team_created', { before: {}, after: { name } })
  for (const { field, before, after } of isNew ? [] : differences)
    await (field === 'trusted'
      ? act(after === true ? 'team_trusted' : 'team_untrusted', { before: {}, after: {} })
      : act('team_renamed', { before: { name: String(before) }, after: { name: String(after) } }))
}

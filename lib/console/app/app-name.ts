import type { ConsoleContext } from '#lib/console/context'
import type { OwnTeam } from '#lib/console/team/store'
import { teamNameProblem } from '#lib/console/team/team-name'
import type { FlashProblem } from '#lib/http/flash'
import { nameFields } from '#lib/text/localized-name'
import { skeletonOf } from '#lib/text/look-alike'

/** A name of an app that a team cannot use, with the code of the reason. */
export type RefusedName = { name: string; code: string }

/** Returns the names of an offered app that the receiving team cannot use, in all languages. */
export async function offeredNameProblems(
  context: ConsoleContext,
  by: { team: Pick<OwnTeam, 'id' | 'isTrusted'> },
  { declaration }: { declaration: Declaration },
): Promise<RefusedName[]> {
  const problems = await appNameProblems(context, by, declaration)
  return problems.map(({ field = '', code }) => ({ name: String(declaration[field]), code }))
}

type Declaration = Record<string, unknown>

/**
 * Returns the problems of the names of an app that differ from those before: mixed scripts, names that pass for the service,
 * and names that look like that of another verified team. The operator answers for the names of an approved team.
 */
export async function appNameProblems(
  context: ConsoleContext,
  { team }: { team: Pick<OwnTeam, 'id' | 'isTrusted'> },
  after: Declaration,
  before: Declaration = {},
): Promise<FlashProblem[]> {
  if (team.isTrusted) return []
  const changed = ['name', ...nameFields].flatMap((field) => {
    const name = after[field]
    return typeof name === 'string' && name.trim() !== '' && name !== before[field] ? [{ field, name }] : []
  })
  const refused = changed.flatMap(({ field, name }) => {
    const problem = teamNameProblem(name, context.config.serviceName)
    return problem ? [{ field, code: `name_${problem}` }] : []
  })
  if (refused.length > 0 || changed.length === 0) return refused
  const skeletons = changed.map(({ name }) => skeletonOf(name))
  const others = await context.teams.verifiedNames(skeletons, team.id)
  return changed
    .filter(({ name }) => others.includes(skeletonOf(name)))
    .map(({ field }) => ({ field, code: 'name_lookalike' }))
}

import type { Acted, Author } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { teamPage } from '#lib/console/paths'
import { actOf, answerTeamForm } from '#lib/console/team-form'
import { skeletonOf } from '#lib/text/look-alike'
import { teamNameProblem } from './team-name.ts'

/** POST /console/team/rename: gives a team another name. */
export const answerTeamRename = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(
    context,
    request,
    { form: 'team-name', page: (id) => teamPage(id, 'settings'), action: 'team.rename' },
    async (submission) => {
      const name = submission.form.get('name').trim().slice(0, 200)
      const renamed = await renameTeam(submission.context, submission, { name })
      return 'problems' in renamed ? { ...renamed, kept: { name } } : renamed
    },
  )

/** Gives a team another name. */
export async function renameTeam(context: ConsoleContext, by: Author, { name }: { name: string }): Promise<Acted> {
  const { team } = by
  const problem = teamNameProblem(name, context.config.serviceName)
  if (problem) return { problems: [{ field: 'name', code: `name_${problem}` }] }
  if (name === team.name) return { done: 'renamed' }
  const act = actOf({ context, ...by }, 'team_renamed', { before: { name: team.name }, after: { name } })
  const renamed = await context.teams.rename({ id: team.id, name, skeleton: skeletonOf(name) }, act)
  return renamed === 'changed' ? { done: 'renamed' } : { problems: [{ field: 'name', code: 'name_lookalike' }] }
}

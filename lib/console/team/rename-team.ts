import type { Outcome } from '#lib/account/account-form'
import type { ConsoleContext } from '#lib/console/context'
import { teamPage } from '#lib/console/paths'
import { actOf, answerTeamForm, type TeamSubmission } from '#lib/console/team-form'
import { skeletonOf } from '#lib/text/look-alike'
import { teamNameProblem } from './team-name.ts'

/** POST /console/team/rename: gives a team another name. */
export const answerTeamRename = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(
    context,
    request,
    { form: 'team-name', page: (id) => teamPage(id, 'settings'), action: 'team.rename' },
    renameTeam,
  )

async function renameTeam(submission: TeamSubmission): Promise<Outcome> {
  const { context, form, team } = submission
  const name = form.get('name').trim().slice(0, 200)
  const refuse = (code: string): Outcome => ({ problems: [{ field: 'name', code }], kept: { name } })
  const problem = teamNameProblem(name, context.config.serviceName)
  if (problem) return refuse(`name_${problem}`)
  if (name === team.name) return { done: 'renamed' }
  const act = actOf(submission, 'team_renamed', { before: { name: team.name }, after: { name } })
  const renamed = await context.teams.rename({ id: team.id, name, skeleton: skeletonOf(name) }, act)
  return renamed === 'changed' ? { done: 'renamed' } : refuse('name_lookalike')
}

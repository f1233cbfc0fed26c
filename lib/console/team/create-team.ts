import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import { isLeaving } from '#lib/account/data/deletion'
import { invitationHash } from '#lib/account/person/invitation'
import type { ConsoleContext } from '#lib/console/context'
import { consoleHome, teamPage } from '#lib/console/paths'
import { actOf } from '#lib/console/team-form'
import { skeletonOf } from '#lib/text/look-alike'
import { teamNameProblem } from './team-name.ts'

export const newTeamPage = `${consoleHome}/new-team`

/** The most teams that one person may own. */
const mostOwned = 20

/** POST /console/new-team/submit: creates a team; the person becomes its owner. */
export const answerNewTeam = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'new-team', page: newTeamPage }, createTeam)

async function createTeam(submission: Submission<ConsoleContext>): Promise<Outcome> {
  const { context, form, person } = submission
  const name = form.get('name').trim().slice(0, 200)
  const code = form.get('invitation').slice(0, 100)
  const kept = { name, invitation: code }
  const { teams: rule, serviceName } = context.config
  if (rule === 'off') return { problems: [{ code: 'closed' }], kept }
  if (isLeaving(person)) return { problems: [{ code: 'leaving' }], kept }
  const problem = teamNameProblem(name, serviceName)
  const problems = [
    ...(problem ? [{ field: 'name', code: `name_${problem}` }] : []),
    ...(rule === 'invite' && code.trim() === '' ? [{ field: 'invitation', code: 'invitation_missing' }] : []),
  ]
  if (problems.length > 0) return { problems, kept }
  const id = `team-${context.random(6).toString('hex')}`
  const owner = { personId: person.id, username: person.username, most: mostOwned }
  const created = await context.teams.create(
    { id, name, skeleton: skeletonOf(name) },
    owner,
    actOf(submission, 'team_created', { after: { name } }),
    rule === 'invite' ? invitationHash(code) : undefined,
  )
  if (created === 'created') return { done: 'created', to: teamPage(id) }
  return { problems: [refusals[created]], kept }
}

const refusals = {
  enough: { code: 'enough' },
  lookalike: { field: 'name', code: 'name_lookalike' },
  uninvited: { field: 'invitation', code: 'invitation_wrong' },
} as const

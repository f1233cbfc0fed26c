import { answerAccountForm, type Keeps, type Outcome, type Submission } from '#lib/account/account-form'
import { isLeaving } from '#lib/account/data/deletion'
import type { Act, ActKind } from '#lib/console/audit/act'
import type { OwnTeam } from '#lib/console/team/store'
import type { PageForm } from '#lib/http/form'
import type { ConsoleContext } from './context.ts'
import { teamPage } from './paths.ts'
import { type Action, mayDo } from './roles.ts'

type TeamForm = {
  /** The name of the form, which is also the name of its flash. */
  form: string
  /** Returns the page that shows the form. */
  page: (teamId: string, form: PageForm) => string
  action: Action
  /** Whether the form requires a recent sign-in. */
  fresh?: boolean
  /** Fields that are kept while the person signs in again; never a secret. */
  keeps?: Keeps
}

/** A form about a team, sent by a member whose role permits the action. */
export type TeamSubmission = Submission<ConsoleContext> & { team: OwnTeam }

/**
 * Answers a form about the team in its field `team`. A stranger gets to a page that answers 404; a member whose role does
 * not permit the action returns to the page and reads why. A person whose account is about to be deleted may only leave.
 */
export const answerTeamForm = (
  context: ConsoleContext,
  request: Request,
  { action, page, ...about }: TeamForm,
  run: (submission: TeamSubmission) => Promise<Outcome>,
): Promise<Response> =>
  answerAccountForm(context, request, { ...about, page: (form) => page(teamIn(form), form) }, async (submission) => {
    const team = await context.teams.findTeam(teamIn(submission.form), submission.person.id)
    // The page of a team that the person does not belong to answers 404.
    if (!team) return { problems: [] }
    // The page of the team says that the operator closed it; other pages are hidden from a viewer.
    if (!mayDo(team.role, action))
      return { problems: [notAllowed(team)], ...(team.isClosed && { to: teamPage(team.id) }) }
    if (isLeaving(submission.person) && action !== 'team.leave') return { problems: [{ code: 'leaving' }] }
    return run({ ...submission, team })
  })

/** Returns why a member may not act: because of their role, or because the operator has closed the team. */
export const notAllowed = ({ isClosed }: Pick<OwnTeam, 'isClosed'>) => ({
  code: isClosed ? 'team_closed' : 'not_allowed',
})

const teamIn = (form: PageForm): string => form.get('team').slice(0, 64)

/** Returns the act that describes a change by its author. */
export const actOf = (
  { context, person, token }: AuthorOfAct,
  kind: ActKind,
  values: Partial<Pick<Act, 'target' | 'before' | 'after'>> = {},
): Act => ({
  id: context.random(16).toString('base64url'),
  at: context.now(),
  actor: person.username,
  ...(token !== undefined && { token }),
  kind,
  target: '',
  before: {},
  after: {},
  ...values,
})

type AuthorOfAct = {
  context: Pick<ConsoleContext, 'random' | 'now'>
  person: { username: string }
  token?: string
}

import type { Keeps, Outcome } from '#lib/account/account-form'
import type { ConsoleContext } from '#lib/console/context'
import { appPage, type appSections } from '#lib/console/paths'
import type { Action } from '#lib/console/roles'
import { answerTeamForm, type TeamSubmission } from '#lib/console/team-form'
import type { TeamApp } from './store.ts'

type AppForm = {
  form: string
  section: (typeof appSections)[number]
  action: Action
  fresh?: boolean
  keeps?: Keeps
}

/** A form about an app of a team, sent by a member whose role permits the action. */
export type AppSubmission = TeamSubmission & { app: TeamApp }

/** Answers a form about the app in its field `app`; the app of another team does not exist for it. */
export const answerAppForm = (
  context: ConsoleContext,
  request: Request,
  { section, ...about }: AppForm,
  run: (submission: AppSubmission) => Promise<Outcome>,
): Promise<Response> =>
  answerTeamForm(
    context,
    request,
    { ...about, page: (teamId, form) => appPage(teamId, appIn(form), section) },
    async (submission) => {
      const app = await context.teamApps.find(appIn(submission.form))
      return app?.teamId === submission.team.id ? run({ ...submission, app }) : { problems: [] }
    },
  )

const appIn = (form: { get(name: string): string }): string => form.get('app').slice(0, 64)

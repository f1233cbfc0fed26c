import type { Outcome } from '#lib/account/account-form'
import { linesOf } from '#lib/console/app/declare-app'
import type { ConsoleContext } from '#lib/console/context'
import { apiPage, apisPage, teamPage } from '#lib/console/paths'
import { answerTeamForm, type TeamSubmission } from '#lib/console/team-form'
import type { PageForm } from '#lib/http/form'
import { pathWith } from '#lib/http/redirect'
import { type ApiValues, changeApi, deleteApi, registerApi } from './edit-api.ts'

/** POST /console/team-api/register: registers an API of the team. */
export const answerApiRegistration = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(
    context,
    request,
    {
      form: 'new-api',
      page: (teamId) => pathWith(teamPage(teamId, 'new-app'), { kind: 'api' }),
      action: 'api.change',
      fresh: true,
      keeps: (form) => keptOf(valuesIn(form)),
    },
    registerByForm,
  )

const about = { form: 'api', page: (teamId: string, form: PageForm) => apiPage(teamId, identifierIn(form)) }

/** POST /console/team-api/change: changes the name, the scopes and the signatures of an API. */
export const answerApiChange = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(context, request, { ...about, action: 'api.change' }, async (submission) => {
    const { form } = submission
    const values = valuesIn(form)
    const changed = await changeApi(context, submission, { ...values, version: form.get('version') })
    return 'problems' in changed ? { ...changed, kept: keptOf(values) } : changed
  })

/** POST /console/team-api/delete: deletes an API after its name was typed. */
export const answerApiDeletion = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(context, request, { ...about, action: 'api.delete', fresh: true }, deleteByForm)

async function registerByForm(submission: TeamSubmission): Promise<Outcome> {
  const { context, form, team } = submission
  const values = valuesIn(form)
  const registered = await registerApi(context, submission, values)
  if ('problems' in registered) return { ...registered, kept: keptOf(values) }
  return { ...registered, to: apiPage(team.id, values.identifier) }
}

async function deleteByForm(submission: TeamSubmission): Promise<Outcome> {
  const { context, form, team } = submission
  const identifier = identifierIn(form)
  const api = await context.teamApis.find(team.id, identifier)
  const typed = form.get('confirm').trim().slice(0, 200)
  if (api && typed !== api.name) {
    const code = typed === '' ? 'confirm_missing' : 'confirm_different'
    return { problems: [{ field: 'confirm', code }], kept: { confirm: typed } }
  }
  // A double submit deletes nothing the second time, and shows the same result.
  await deleteApi(context, submission, { identifier })
  return { done: 'api_deleted', to: apisPage(team.id) }
}

const valuesIn = (form: PageForm): ApiValues => ({
  identifier: identifierIn(form),
  name: form.get('name').trim(),
  scopes: linesOf(form.get('scopes').slice(0, 4000)),
  sensitive_scopes: linesOf(form.get('sensitive_scopes').slice(0, 4000)),
  signing_alg: form.get('signing_alg'),
})

/** Returns the typed values for the page, the scopes as lines. */
const keptOf = ({ scopes, sensitive_scopes: sensitive = [], ...values }: ApiValues) => ({
  ...values,
  name: values.name.slice(0, 200),
  scopes: scopes.join('\n'),
  sensitive_scopes: sensitive.join('\n'),
})

const identifierIn = (form: PageForm): string => form.get('identifier').trim().slice(0, 300)

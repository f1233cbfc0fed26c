import type { Outcome } from '#lib/account/account-form'
import type { Acted, Author } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { appPage, teamPage } from '#lib/console/paths'
import { actOf, answerTeamForm, type TeamSubmission } from '#lib/console/team-form'
import { pathWith } from '#lib/http/redirect'
import { appNameProblems } from './app-name.ts'
import { besideFields, declare, newAppFields, withForm } from './declare-app.ts'
import { keptKey, readKeyText } from './key-text.ts'

/** The most apps of a team. */
export const mostApps = 1000

/** POST /console/app/register: registers an app; its secret is shown once. */
export const answerAppRegistration = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(
    context,
    request,
    {
      form: 'new-app',
      page: (id, form) => pathWith(teamPage(id, 'new-app'), { kind: form.get('kind').slice(0, 20) }),
      action: 'app.register',
      fresh: true,
      keeps: (form) => keptOf(withForm({}, form, newAppFields), form.get('key').trim()),
    },
    registerByForm,
  )

async function registerByForm(submission: TeamSubmission): Promise<Outcome> {
  const { context, form, team } = submission
  const key = form.get('key').trim()
  const read = key === '' ? undefined : readKeyText(key)
  const declaration = withForm(read && 'keys' in read ? { jwks: { keys: read.keys } } : {}, form, newAppFields)
  const kept = keptOf(declaration, key)
  if (read && 'problem' in read) return { problems: [{ field: 'key', code: `key_${read.problem}` }], kept }
  const registered = await registerApp(context, submission, declaration)
  if ('problems' in registered) return { ...registered, kept }
  const { done, id, secret } = registered
  return { done, to: appPage(team.id, id, secret ? 'credentials' : undefined), ...(secret && { kept: { secret } }) }
}

type Registered = { id: string; secret: string | undefined }

/** Registers an app under a new client_id; returns the secret that was made for it. */
export async function registerApp(
  context: ConsoleContext,
  by: Author,
  declaration: Record<string, unknown>,
): Promise<Acted<Registered>> {
  const id = `app-${context.random(9).toString('hex')}`
  const { app, problems } = declare(context, { ...declaration, client_id: id }, by.team.id, undefined)
  if (!app) return { problems: besideFields(problems) }
  const names = await appNameProblems(context, by, declaration)
  if (names.length > 0) return { problems: names }
  const act = actOf({ context, ...by }, 'app_registered', { target: id })
  const written = await context.teamApps.register(app, mostApps, act)
  if (written.result === 'refused') return { problems: besideFields(written.problems) }
  if (written.result === 'closed') return { problems: [{ code: 'team_closed' }] }
  if (written.result !== 'written') return { problems: [{ code: `app_${written.result}` }] }
  const { secret } = written
  return { done: 'registered', id, secret }
}

/** Returns the typed values for the page, lists as lines. */
export const keptOf = ({ jwks: _, ...declaration }: Record<string, unknown>, key = ''): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(declaration).map(([name, value]) => [name, Array.isArray(value) ? value.join('\n') : String(value)]),
  ),
  ...keptKey(key),
})

import type { Outcome } from '#lib/account/account-form'
import type { Acted, Author } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { teamPage } from '#lib/console/paths'
import { actOf, answerTeamForm, type TeamSubmission } from '#lib/console/team-form'
import { sha256 } from '#lib/crypto/hash'
import { makePrefixedToken } from '#lib/crypto/prefixed-token'
import { plainText } from '#lib/text/text-rules'
import { type TokenScope, tokenScopes } from './scopes.ts'

/** The prefix of the API tokens of teams. */
export const tokenPrefix = 'postern_team_'

/** The days for which a token can work. */
export const tokenDays = [7, 30, 90, 365] as const

/** The most API tokens, and the most initial access tokens, of a team. */
export const mostTokens = 50

export const tokenName = plainText(1, 60)

const tokensPage = (teamId: string) => teamPage(teamId, 'api')

/** POST /console/team/token/make: makes an API token, which the page shows once. */
export const answerTokenMaking = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(
    context,
    request,
    {
      form: 'token',
      page: tokensPage,
      action: 'tokens.make',
      fresh: true,
      keeps: (form) => ({ name: form.get('name').slice(0, 100), scopes: form.all('scopes').join(' ').slice(0, 200) }),
    },
    makeByForm,
  )

/** POST /console/team/token/revoke */
export const answerTokenRevocation = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(context, request, { form: 'token', page: tokensPage, action: 'tokens.revoke' }, async (submission) => {
    // A double submit revokes nothing the second time, and shows the same result.
    await revokeToken(submission.context, submission, submission.form.get('token').slice(0, 64))
    return { done: 'token_revoked' }
  })

async function makeByForm(submission: TeamSubmission): Promise<Outcome> {
  const { context, form } = submission
  const [name, scopes] = [form.get('name'), form.all('scopes')]
  const made = await makeToken(context, submission, { name, scopes, days: Number(form.get('days')) })
  if ('problems' in made) return { ...made, kept: { name: name.slice(0, 100), scopes: scopes.join(' ').slice(0, 200) } }
  return { done: made.done, kept: { token: made.token } }
}

type Wish = { name: string; scopes: string[]; days: number }

/** Makes an API token of the author; it permits no more than its scopes and the author's role at the time of use. */
async function makeToken(context: ConsoleContext, by: Author, wish: Wish): Promise<Acted<{ token: string }>> {
  const name = tokenName.safeParse(wish.name)
  const scopes = tokenScopes.filter((scope) => wish.scopes.includes(scope))
  const hasDays = tokenDays.some((days) => days === wish.days)
  const problems = [
    ...(name.success ? [] : [{ field: 'name', code: 'token_name' }]),
    ...(scopes.length > 0 && wish.scopes.every(isScope) ? [] : [{ field: 'scopes', code: 'token_scopes' }]),
    ...(hasDays ? [] : [{ field: 'days', code: 'token_days' }]),
  ]
  if (!name.success || problems.length > 0) return { problems }
  const token = makePrefixedToken(tokenPrefix, context.random)
  const now = context.now()
  const expiresAt = new Date(now.getTime() + wish.days * 86_400_000)
  const row = { id: context.random(9).toString('hex'), name: name.data, scopes, createdAt: now, expiresAt }
  const after = { scopes: scopes.join(' '), expires: expiresAt.toISOString().slice(0, 10) }
  const act = actOf({ context, ...by }, 'token_made', { target: name.data, after })
  const added = await context.tokens.addToken(
    by.team.id,
    { ...row, personId: by.person.id, hash: sha256(token) },
    mostTokens,
    act,
  )
  return added === 'added' ? { done: 'token_made', token } : { problems: [{ code: 'token_enough' }] }
}

const isScope = (text: string): text is TokenScope => tokenScopes.some((scope) => scope === text)

/** Revokes an API token; returns whether the team had it. */
export const revokeToken = (context: ConsoleContext, by: Author, id: string): Promise<boolean> =>
  context.tokens.revokeToken(by.team.id, id, actOf({ context, ...by }, 'token_revoked'))

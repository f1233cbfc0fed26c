import type { Outcome } from '#lib/account/account-form'
import type { Acted, Author } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { teamPage } from '#lib/console/paths'
import { actOf, answerTeamForm, type TeamSubmission } from '#lib/console/team-form'
import { sha256 } from '#lib/crypto/hash'
import { makePrefixedToken } from '#lib/crypto/prefixed-token'
import { type ProfileName, profileNames } from '#lib/oauth/client/profile'
import { mostTokens, tokenName } from './team-token.ts'

/** The prefix of initial access tokens (RFC 7591 §1.2). */
export const registrationPrefix = 'postern_register_'

/** The most apps that one initial access token registers, and the days for which it can work. */
export const mostRegistrations = 100
export const registrationDays = [1, 7, 30, 90] as const

const tokensPage = (teamId: string) => teamPage(teamId, 'api')

/** POST /console/team/registration-token/make: makes an initial access token, which the page shows once. */
export const answerRegistrationTokenMaking = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(
    context,
    request,
    {
      form: 'registration-token',
      page: tokensPage,
      action: 'app.register',
      fresh: true,
      keeps: { name: 'name', profile: 'profile', count: 'count' },
    },
    makeByForm,
  )

/** POST /console/team/registration-token/revoke */
export const answerRegistrationTokenRevocation = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(
    context,
    request,
    { form: 'registration-token', page: tokensPage, action: 'tokens.revoke' },
    async (submission) => {
      // A double submit revokes nothing the second time, and shows the same result.
      await revokeRegistrationToken(submission.context, submission, submission.form.get('token').slice(0, 64))
      return { done: 'registration_token_revoked' }
    },
  )

async function makeByForm(submission: TeamSubmission): Promise<Outcome> {
  const { context, form } = submission
  const kept = Object.fromEntries(['name', 'profile', 'count'].map((name) => [name, form.get(name).slice(0, 100)]))
  const [count, days] = [Number(form.get('count')), Number(form.get('days'))]
  const wish = { name: form.get('name'), profile: form.get('profile'), count, days }
  const made = await makeRegistrationToken(context, submission, wish)
  return 'problems' in made ? { ...made, kept } : { done: made.done, kept: { token: made.token } }
}

type Wish = { name: string; profile: string; count: number; days: number }
type Made = { id: string; token: string; expiresAt: Date }

/** Makes an initial access token with which a program registers `count` apps of one profile in the team. */
export async function makeRegistrationToken(
  context: ConsoleContext,
  by: Author,
  { count, days, ...wish }: Wish,
): Promise<Acted<Made>> {
  const name = tokenName.safeParse(wish.name)
  const profile = profileNames.find((one) => one === wish.profile)
  const isCount = Number.isInteger(count) && count >= 1 && count <= mostRegistrations
  const problems = [
    ...(name.success ? [] : [{ field: 'name', code: 'token_name' }]),
    ...(profile ? [] : [{ field: 'profile', code: 'token_profile' }]),
    ...(isCount ? [] : [{ field: 'count', code: 'token_count' }]),
    ...(registrationDays.some((one) => one === days) ? [] : [{ field: 'days', code: 'token_days' }]),
  ]
  if (!name.success || !profile || problems.length > 0) return { problems }
  const row = tokenRow(context, { name: name.data, profile, count, days })
  const token = makePrefixedToken(registrationPrefix, context.random)
  const after = { profile, count: String(count), expires: row.expiresAt.toISOString().slice(0, 10) }
  const act = actOf({ context, ...by }, 'registration_token_made', { target: name.data, after })
  const stored = { ...row, personId: by.person.id, hash: sha256(token) }
  if ((await context.tokens.addRegistrationToken(by.team.id, stored, mostTokens, act)) === 'enough')
    return { problems: [{ code: 'token_enough' }] }
  return { done: 'registration_token_made', id: row.id, token, expiresAt: row.expiresAt }
}

function tokenRow(context: ConsoleContext, { name, profile, count, days }: Wish & { profile: ProfileName }) {
  const [id, createdAt] = [context.random(9).toString('hex'), context.now()]
  const expiresAt = new Date(createdAt.getTime() + days * 86_400_000)
  return { id, name, profile, remaining: count, createdAt, expiresAt }
}

/** Revokes an initial access token; returns whether the team had it. Apps that it registered stay. */
export const revokeRegistrationToken = (context: ConsoleContext, by: Author, id: string): Promise<boolean> =>
  context.tokens.revokeRegistrationToken(by.team.id, id, actOf({ context, ...by }, 'registration_token_revoked'))

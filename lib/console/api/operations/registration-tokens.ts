import { z } from 'zod'
import { operation } from '#lib/console/api/operation'
import { notFound, refusedAct } from '#lib/console/api/problem'
import { time } from '#lib/console/api/schemas'
import {
  makeRegistrationToken,
  mostRegistrations,
  registrationDays,
  revokeRegistrationToken,
} from '#lib/console/tokens/registration-token'
import type { RegistrationToken } from '#lib/console/tokens/store'
import { profileNames } from '#lib/oauth/client/profile'
import { oneOf, text } from '#lib/text/text-rules'

const registrationToken = z.object({
  id: z.string(),
  name: z.string(),
  profile: z.enum(profileNames),
  remaining: z.int(),
  maker: z.string(),
  created_at: time,
  expires_at: time,
})

/** The initial access tokens for dynamic registration. */
export const registrationTokenOperations = [
  operation({
    id: 'listRegistrationTokens',
    method: 'GET',
    path: '/registration-tokens',
    action: 'tokens.read',
    summary: 'Lists the initial access tokens, without their secrets',
    answer: { status: 200, schema: z.object({ items: z.array(registrationToken) }) },
    run: async ({ context, by }) => ({
      body: { items: (await context.tokens.listRegistrationTokens(by.team.id, context.now())).map(shown) },
    }),
  }),
  operation({
    id: 'makeRegistrationToken',
    method: 'POST',
    path: '/registration-tokens',
    action: 'app.register',
    summary: 'Makes an initial access token for dynamic registration (RFC 7591) and returns it once',
    body: z.strictObject({
      name: text.max(200, 'must have at most 200 characters'),
      profile: oneOf(profileNames),
      count: z.int('must be a whole number').min(1, 'must be at least 1').max(mostRegistrations),
      days: z.literal(registrationDays, `must be ${registrationDays.join(', ')}`),
    }),
    answer: { status: 201, schema: z.object({ id: z.string(), token: z.string(), expires_at: time }) },
    async run({ context, by, body }) {
      const made = await makeRegistrationToken(context, by, body)
      if ('problems' in made) throw refusedAct(made.problems)
      return { body: { id: made.id, token: made.token, expires_at: made.expiresAt } }
    },
  }),
  operation({
    id: 'revokeRegistrationToken',
    method: 'DELETE',
    path: '/registration-tokens/{token}',
    action: 'tokens.revoke',
    summary: 'Revokes an initial access token; the apps that it registered stay',
    async run({ context, by, path }) {
      if (!(await revokeRegistrationToken(context, by, path.token ?? ''))) throw notFound()
      return {}
    },
  }),
]

const shown = ({ createdAt, expiresAt, ...token }: RegistrationToken) => ({
  ...token,
  created_at: createdAt,
  expires_at: expiresAt,
})

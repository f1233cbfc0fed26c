import { addressFrom } from '#lib/account/activity/activity'
import type { Author } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { type Action, mayDo } from '#lib/console/roles'
import { notAllowed } from '#lib/console/team-form'
import { scopeFor } from '#lib/console/tokens/scopes'
import type { TeamToken } from '#lib/console/tokens/store'
import { tokenPrefix } from '#lib/console/tokens/team-token'
import { sha256 } from '#lib/crypto/hash'
import { isPrefixedToken } from '#lib/crypto/prefixed-token'
import { ApiProblem, refusedAct } from './problem.ts'

export type Caller = { by: Author; token: TeamToken }

/**
 * Returns the holder of the request's token. Counts the request for its address before the look-up, so that guessing is
 * limited too; then for the token. Cookies are ignored.
 */
export async function authenticate(context: ConsoleContext, request: Request): Promise<Caller> {
  const { addresses, tokens } = context.apiLimits
  refuseIfOver(await addresses.fail(addressFrom(request)))
  const [, sent] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (sent === undefined) throw unauthorized('Send a token of the team: Authorization: Bearer postern_team_…', 'Bearer')
  const found = isPrefixedToken(tokenPrefix, sent)
    ? await context.tokens.findToken(sha256(sent), context.now())
    : undefined
  if (!found) throw unauthorized('The token is wrong, expired or revoked.', 'Bearer error="invalid_token"')
  const { token, team, person } = found
  refuseIfOver(await tokens.fail(token.id))
  await context.tokens.noteUse(token, context.now())
  return { by: { team, person, token: token.name }, token }
}

/** Refuses an action that neither the scopes of the token nor the present role of its maker permit. */
export function permit({ by, token }: Caller, action: Action): void {
  const scope = scopeFor(action)
  if (scope === null || !token.scopes.includes(scope))
    throw new ApiProblem(403, 'insufficient_scope', `The token needs the scope ${scope}.`, {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    })
  if (!mayDo(by.team.role, action)) throw refusedAct([notAllowed(by.team)])
}

const unauthorized = (detail: string, challenge: string) =>
  new ApiProblem(401, 'invalid_token', detail, { headers: { 'www-authenticate': challenge } })

function refuseIfOver(wait: number): void {
  if (wait > 0)
    throw new ApiProblem(429, 'too_many_requests', 'Too many requests. Try again after the time in Retry-After.', {
      headers: { 'retry-after': String(wait) },
    })
}

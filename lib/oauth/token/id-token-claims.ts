import type { OAuthContext } from '#lib/oauth/context'
import { scopesInForce, scopesWithin } from '#lib/oauth/scope'
import type { Authorization } from '#lib/oauth/store'
import { setClaims } from '#lib/oauth/userinfo/claims'
import { emailClaim } from '#lib/oauth/userinfo/email-claim'

/**
 * Returns the person's claims that are granted and set, or those of them that are asked for (OpenID Connect Core §5.4,
 * §5.5); empty once the grant has ended.
 */
export async function grantedClaims(
  context: OAuthContext,
  authorization: Authorization,
  asked?: readonly string[],
): Promise<Record<string, unknown>> {
  const grant = await context.store.findGrant(authorization.id, '')
  if (!grant) return {}
  const scopes = scopesWithin(scopesInForce(authorization), scopesInForce(grant))
  const set = setClaims(context, { profile: grant.person, subject: grant.subject, scopes })
  const claims = Object.entries({ ...set, ...emailClaim(context, grant, scopes) })
  return Object.fromEntries(claims.filter(([name]) => asked?.includes(name) ?? true))
}

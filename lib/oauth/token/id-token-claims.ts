import type { OAuthContext } from '#lib/oauth/context'
import { scopesInForce, scopesWithin } from '#lib/oauth/scope'
import type { Authorization } from '#lib/oauth/store'
import { setClaims } from '#lib/oauth/userinfo/claims'
import { emailClaim } from '#lib/oauth/userinfo/email-claim'

/**
 * Returns the person's claims that are granted and set, as an ID token of an app with `id_token_claims` has them (OpenID
 * Connect Core §5.4); empty once the grant has ended.
 */
export async function grantedClaims(
  context: OAuthContext,
  authorization: Authorization,
): Promise<Record<string, unknown>> {
  const grant = await context.store.findGrant(authorization.id, '')
  if (!grant) return {}
  const scopes = scopesWithin(scopesInForce(authorization), scopesInForce(grant))
  const claims = setClaims(context, { profile: grant.person, subject: grant.subject, scopes })
  return { ...claims, ...emailClaim(context, grant, scopes) }
}

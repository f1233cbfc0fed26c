import { holdsScope, type ProfileScope, profileScopes } from '#lib/oauth/scope'
import type { ProfileFields, ValuesByClaim } from '#lib/oauth/store'

type Person = { profile: ProfileFields; subject: string; scopes: readonly string[] }
type Site = { issuer: string; serviceName: string }

/** Returns every claim of the first table of specification §2.7, with defaults for scopes that are not granted. */
export function userinfoClaims(site: Site, { profile, subject, scopes }: Person): Record<string, unknown> {
  const anyProfile = profileScopes.some((scope) => holdsScope(scopes, scope))
  const claims: Record<string, unknown> = { sub: subject }
  for (const scope of profileScopes) {
    claims[scope] = holdsScope(scopes, scope) ? grantedValue(site, profile, scope) : defaultValue(site, scope)
  }
  claims.updated_at = anyProfile ? Math.floor(profile.updatedAt.getTime() / 1000) : 0
  return claims
}

/** Returns the claims that are granted and set (OpenID Connect Core §5.3.2: absent rather than null or empty). */
export function setClaims(site: Site, { profile, subject, scopes }: Person): Record<string, unknown> {
  const granted = profileScopes.filter((scope) => holdsScope(scopes, scope))
  const set = granted
    .map((scope) => [
      scope,
      namedFields.includes(scope) ? profile[scope as 'name'] : grantedValue(site, profile, scope),
    ])
    .filter(([, value]) => value !== '')
  const updatedAt = granted.length > 0 && { updated_at: Math.floor(profile.updatedAt.getTime() / 1000) }
  return { sub: subject, ...Object.fromEntries(set), ...updatedAt }
}

/**
 * Leaves out each claim that was requested with values of which it has none (OpenID Connect Core §5.5.1). This is no
 * error: "the Authorization Server MUST NOT generate an error when Claims are not returned".
 */
export function withRequestedValues(claims: Record<string, unknown>, requested: ValuesByClaim | undefined) {
  if (!requested) return claims
  return Object.fromEntries(Object.entries(claims).filter(([name, value]) => requested[name]?.includes(value) ?? true))
}

const namedFields: readonly ProfileScope[] = ['name', 'nickname']

const defaultValue = ({ serviceName }: Site, scope: ProfileScope): string =>
  namedFields.includes(scope) ? `${serviceName} User` : ''

function grantedValue(site: Site, profile: ProfileFields, scope: ProfileScope): string {
  switch (scope) {
    case 'name':
    case 'nickname':
      return profile[scope] || defaultValue(site, scope)
    case 'picture':
      return profile.avatarFile === undefined ? '' : `${site.issuer}/avatars/${profile.avatarFile}`
    case 'preferred_username':
      return profile.username
    default:
      return profile[scope]
  }
}

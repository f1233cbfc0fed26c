import { holdsScope, type ProfileScope, profileScopes } from '#lib/oauth/scope'
import type { ProfileFields } from '#lib/oauth/store'

type Person = { profile: ProfileFields; subject: string; scopes: readonly string[]; email: string | undefined }
type Site = { issuer: string; serviceName: string }

/** The claims userinfo answers with: always all of the first table, with defaults for what is not granted (specification §2.7). */
export function userinfoClaims(site: Site, { profile, subject, scopes, email }: Person): Record<string, unknown> {
  const anyProfile = profileScopes.some((scope) => holdsScope(scopes, scope))
  const claims: Record<string, unknown> = { sub: subject }
  for (const scope of profileScopes) {
    claims[scope] = holdsScope(scopes, scope) ? grantedValue(site, profile, scope) : defaultValue(site, scope)
  }
  claims.updated_at = anyProfile ? Math.floor(profile.updatedAt.getTime() / 1000) : 0
  // Absent, not defaulted, when not granted.
  if (scopes.includes('email') && email !== undefined) Object.assign(claims, { email, email_verified: true })
  return claims
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

/** Specification §2.6: the scopes that grant one claim each, in the order people read them. */
export const profileScopes = [
  'name',
  'nickname',
  'picture',
  'biography',
  'gender',
  'birthdate',
  'region',
  'preferred_username',
  'locale',
] as const
export type ProfileScope = (typeof profileScopes)[number]

/** Every scope there is; `profile` is the legacy bundle of all profile scopes. */
export const knownScopes: readonly string[] = ['openid', ...profileScopes, 'email', 'profile']

/** A space-separated scope value as a list without repetitions (RFC 6749 §3.3). */
export const parseScope = (text: string): string[] => [...new Set(text.split(' ').filter(Boolean))]

export const formatScope = (scopes: readonly string[]): string => scopes.join(' ')

/** The bundle becomes its nine scopes, so that a person decides on each. */
export function expandBundle(scopes: readonly string[]): string[] {
  return [...new Set(scopes.flatMap((scope) => (scope === 'profile' ? ['profile', ...profileScopes] : [scope])))]
}

/** What is left of the wish after the person's choice; the bundle stays only when all of its nine do. */
export function withoutDeclined(wanted: readonly string[], declined: ReadonlySet<string>): string[] {
  const kept = wanted.filter((scope) => !declined.has(scope))
  return profileScopes.every((scope) => kept.includes(scope)) ? kept : kept.filter((scope) => scope !== 'profile')
}

/** Whether a scope is in force; a token that holds the bundle holds all of it (specification §2.6). */
export const holdsScope = (scopes: readonly string[], scope: string): boolean =>
  scopes.includes(scope) || (scopes.includes('profile') && (profileScopes as readonly string[]).includes(scope))

/** The scopes that a limit holds too; a bundle that it does not hold gives way to those of the nine that it does. */
export function scopesWithin(scopes: readonly string[], limit: readonly string[]): string[] {
  const listed = limit.includes('profile') ? scopes : expandBundle(scopes)
  return listed.filter((scope) => holdsScope(limit, scope))
}

/** Returns the granted scopes that the app is still registered for. */
export const scopesInForce = ({ scopes, appScopes }: { scopes: string[]; appScopes: string[] }): string[] =>
  scopesWithin(scopes, appScopes)

/** Whether the app is still registered for openid, without which no approval of it is good for anything. */
export const maySignIn = ({ appScopes }: { appScopes: string[] }): boolean => appScopes.includes('openid')

/** Whether every scope asked for is already in force. */
export const coversScopes = (granted: readonly string[], asked: readonly string[]): boolean =>
  asked.every((scope) => holdsScope(granted, scope))

/** The scopes that grant one claim each (specification §2.6), in the order in which pages list them. */
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

/** All scopes; `profile` is the legacy bundle of the nine profile scopes. */
export const knownScopes: readonly string[] = ['openid', ...profileScopes, 'email', 'profile']

/** Parses a space-separated scope value into a list without duplicates (RFC 6749 §3.3). */
export const parseScope = (text: string): string[] => [...new Set(text.split(' ').filter(Boolean))]

export const formatScope = (scopes: readonly string[]): string => scopes.join(' ')

/** Adds the nine scopes of the bundle, so that a person decides on each one. */
export function expandBundle(scopes: readonly string[]): string[] {
  if (!scopes.includes('profile')) return [...scopes]
  return [...new Set(scopes.flatMap((scope) => (scope === 'profile' ? ['profile', ...profileScopes] : [scope])))]
}

/** Returns the registered scopes, with `profile` if all of its nine scopes are registered, by name or by `profile`. */
function registeredScopes(appScopes: readonly string[]): string[] {
  const all = expandBundle(appScopes)
  return profileScopes.every((scope) => all.includes(scope)) ? [...new Set([...all, 'profile'])] : all
}

/**
 * Returns the requested scopes that the app is registered for; `profile` requests each of its nine scopes. `left` lists
 * the known scopes of which nothing is registered; unknown scopes are ignored (OpenID Connect Core §3.1.2.1).
 */
export function scopesAsked(asked: readonly string[], appScopes: readonly string[]) {
  const registered = registeredScopes(appScopes)
  const isRegistered = (scope: string) => registered.includes(scope)
  const known = asked.filter((scope) => knownScopes.includes(scope))
  return {
    scopes: expandBundle(known).filter(isRegistered),
    left: known.filter((scope) => !expandBundle([scope]).some(isRegistered)),
  }
}

/** Returns the scopes as the token response lists them: the bundle, if it is granted, instead of its nine scopes. */
export const foldBundle = (scopes: readonly string[]): string[] =>
  scopes.filter((scope) => !scopes.includes('profile') || !(profileScopes as readonly string[]).includes(scope))

/** Removes declined scopes; keeps the bundle only if none of its nine scopes was declined. */
export function withoutDeclined(wanted: readonly string[], declined: ReadonlySet<string>): string[] {
  const kept = wanted.filter((scope) => !declined.has(scope))
  return profileScopes.every((scope) => kept.includes(scope)) ? kept : kept.filter((scope) => scope !== 'profile')
}

/** Returns whether a scope is granted, by itself or by the bundle (specification §2.6). */
export const holdsScope = (scopes: readonly string[], scope: string): boolean =>
  scopes.includes(scope) || (scopes.includes('profile') && (profileScopes as readonly string[]).includes(scope))

/**
 * Returns the scopes that `limit` also has. If `limit` lacks the bundle, replaces the bundle by those of its nine
 * scopes that are in `limit`.
 */
export function scopesWithin(scopes: readonly string[], limit: readonly string[]): string[] {
  const listed = limit.includes('profile') ? scopes : expandBundle(scopes)
  return listed.filter((scope) => holdsScope(limit, scope))
}

/** Returns the granted scopes that the app is still registered for. */
export const scopesInForce = ({ scopes, appScopes }: { scopes: string[]; appScopes: string[] }): string[] =>
  scopesWithin(scopes, registeredScopes(appScopes))

/** Returns whether the app is registered for every one of these scopes. */
export const coversRegistered = (appScopes: readonly string[], scopes: readonly string[]): boolean =>
  coversScopes(registeredScopes(appScopes), scopes)

/** Returns whether the app is still registered for openid; without openid, its tokens are refused. */
export const maySignIn = ({ appScopes }: { appScopes: string[] }): boolean => appScopes.includes('openid')

/** Replaces `profile`, unless it is granted, by those of its nine scopes that are granted. */
export const grantedOfBundle = (asked: readonly string[], granted: readonly string[]): string[] => {
  const parts = granted.includes('profile') ? ['profile'] : profileScopes.filter((scope) => granted.includes(scope))
  return [...new Set(asked.flatMap((scope) => (scope === 'profile' ? parts : [scope])))]
}

/** Returns whether every requested scope is granted. */
export const coversScopes = (granted: readonly string[], asked: readonly string[]): boolean =>
  asked.every((scope) => holdsScope(granted, scope))

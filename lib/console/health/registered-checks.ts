import { by, type Check, type HealthApp } from './check.ts'
import { rules } from './rules.ts'

const day = 86_400_000
/** Days after which a credential is old, and after which it is too old. */
const [old, tooOld] = [365, 730]
/** Days after which a second secret is no longer part of a rotation, and after which an unused one is forgotten. */
const [rotation, forgotten] = [30, 90]
const mostRedirects = 10

export function checkRedirects({ kind, declaration }: HealthApp): Check {
  const uris = (declaration.redirect_uris ?? []) as string[]
  const schemeOf = (uri: string) => uri.slice(0, uri.indexOf(':'))
  const http = uris.filter((uri) => schemeOf(uri) === 'http').length
  const isNative = kind === 'public'
  const own = uris.filter((uri) => !['http', 'https'].includes(schemeOf(uri))).length
  const all = { subject: 'redirects', values: { count: uris.length }, page: 'settings' } as const
  const exact = [rules.exactRedirect, rules.exactRedirectBcp]
  if (http > 0 && !isNative) return { ...all, found: 'http', verdicts: by('mend', rules.noHttpBcp, rules.noHttpFapi) }
  if (uris.length > mostRedirects) return { ...all, found: 'many', verdicts: by('look', ...exact) }
  if (own > 0) return { ...all, found: 'scheme', verdicts: by('look', ...exact) }
  const found = http > 0 ? 'loopback' : 'https'
  return { ...all, found, verdicts: by('good', ...exact, rules.noHttpFapi) }
}

export function checkProfile({ kind, profile }: HealthApp): Check {
  const all = { subject: 'profile', found: profile, values: {}, page: 'settings' } as const
  if (profile === 'fapi2')
    return { ...all, verdicts: by('good', rules.challengeRequired, rules.challengeFapi, rules.pushedFapi) }
  const isLax = profile === 'oidc' && kind !== 'public'
  return {
    ...all,
    found: isLax ? 'oidc' : 'standard',
    verdicts: [...by(isLax ? 'look' : 'good', rules.challengeRequired), ...by('mend', rules.pushedFapi)],
  }
}

export function checkAuthentication({ kind }: HealthApp): Check {
  const all = { subject: 'authentication', values: {}, page: 'new-app' } as const
  const recommended = [rules.keysRecommended, rules.keysRecommendedBcp]
  if (kind === 'assertion') return { ...all, found: 'key', verdicts: by('good', ...recommended, rules.keysFapi) }
  if (kind === 'confidential')
    return { ...all, found: 'secret', verdicts: [...by('look', ...recommended), ...by('mend', rules.keysFapi)] }
  const others = by('good', rules.publicRedirect, rules.authenticationFeasible)
  return { ...all, found: 'public', verdicts: [...others, ...by('mend', rules.confidentialFapi)] }
}

/** Undefined for an app without secrets. */
export function checkSecrets({ secrets }: HealthApp, now: Date): Check | undefined {
  const live = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  if (live.length === 0) return undefined
  const age = (since: Date) => Math.floor((now.getTime() - since.getTime()) / day)
  const oldest = Math.max(...live.map(({ createdAt }) => age(createdAt)))
  const newest = Math.min(...live.map(({ createdAt }) => age(createdAt)))
  const unused = live.filter((secret) => age(secret.lastUsedAt ?? secret.createdAt) > forgotten).length
  const all = { subject: 'secrets', values: { days: oldest, unused }, page: 'credentials' } as const
  if (oldest > tooOld) return { ...all, found: 'old', verdicts: by('mend', rules.lifecycle) }
  if (live.length > 1 && unused > 0) return { ...all, found: 'unused', verdicts: by('look', rules.lifecycle) }
  if (live.length > 1 && newest > rotation) return { ...all, found: 'two', verdicts: by('look', rules.lifecycle) }
  if (oldest > old) return { ...all, found: 'old', verdicts: by('look', rules.lifecycle) }
  return { ...all, found: 'fresh', verdicts: by('good', rules.lifecycle) }
}

/** Undefined for an app without public keys. */
export function checkKeys({ keys, declaration }: HealthApp, now: Date): Check | undefined {
  const all = { subject: 'keys', page: 'credentials' } as const
  const cited = [rules.keyRotation, rules.keySetsFapi]
  if (keys.length === 0)
    return declaration.jwks_uri ? { ...all, found: 'published', values: {}, verdicts: by('good', ...cited) } : undefined
  const days = Math.max(...keys.map(({ createdAt }) => Math.floor((now.getTime() - createdAt.getTime()) / day)))
  const grade = days > tooOld ? 'mend' : days > old ? 'look' : 'good'
  return { ...all, found: grade === 'good' ? 'fresh' : 'old', values: { days }, verdicts: by(grade, ...cited) }
}

export function checkTokens({ profile, declaration }: HealthApp): Check {
  const isBound = profile === 'fapi2' || declaration.dpop_bound_access_tokens === true
  const all = { subject: 'tokens', values: {}, page: undefined } as const
  const recommended = [rules.boundTokens, rules.boundTokensBcp]
  if (isBound) return { ...all, found: 'bound', verdicts: by('good', ...recommended, rules.boundTokensFapi) }
  return { ...all, found: 'bearer', verdicts: [...by('look', ...recommended), ...by('mend', rules.boundTokensFapi)] }
}

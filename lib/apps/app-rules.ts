import { type ProfileName, profileOf } from '#lib/oauth/client/profile'
import { type PublicKey, readPublicKey } from '#lib/oauth/client/public-key'
import type { Registration } from '#lib/oauth/client/registration'
import { at, type Report, readFields, reportDuplicates } from '#lib/text/read-fields'
import { type AppKind, appFields, type EmailRule } from './app-fields.ts'
import { checkMailDomains } from './mail-domain-rules.ts'
import { checkRedirectUris, fetchedUriProblem } from './redirect-uri-rules.ts'
import { readRegistration } from './registration-fields.ts'

/** An app as a file declares it. An undefined field is absent from the file: a registered app keeps its value. */
export type DeclaredApp = {
  path: string
  teamId: string
  clientId: string
  name: string
  kind: AppKind
  profile: ProfileName
  /** The fields of RFC 7591 that the file gives. */
  registration: Registration
  secret: string | undefined
  redirectUris: string[]
  scopes: string[]
  /** Scopes that wait for an operator's approval; a file of the operator has none. */
  waitingScopes: string[]
  requiredScopes: string[]
  email: EmailRule
  logo: string | undefined
  homepage: string | undefined
  policyUri: string | undefined
  tosUri: string | undefined
  keys: PublicKey[]
  mailDomains: string[] | undefined
}

/**
 * The inputs of the rules from outside the file. `knownScopes` is in the order in which scopes are stored and shown.
 */
export type AppRules = { issuerIsLoopback: boolean; knownScopes: readonly string[] }

/** Reads one app of the file and reports every problem; returns null when there is one (design §8). */
export function readApp(
  input: unknown,
  path: string,
  teamId: string,
  rules: AppRules,
  tell: Report,
): DeclaredApp | null {
  let good = true
  const report: Report = (where, message) => {
    good = false
    tell(where, message)
  }
  const given = readFields(appFields, input, path, report)
  if (!given) return null
  readRedirectUris(given, path, rules, report)
  const scopes = readScopes(given, path, rules, report)
  checkSecret(given, path, report)
  const keys = readKeys(given, path, report)
  checkKeyAddress(given, path, rules, report)
  const registration = readRegistration(given, path, rules, report)
  checkMailDomains(given.mail_domains, path, report)
  for (const name of ['homepage', 'policy_uri', 'tos_uri'] as const) {
    const problem = given[name] ? pageProblem(given[name], rules) : undefined
    if (problem) report(at(path, name), problem)
  }
  if (!good || !given.client_id || !given.name || !given.kind || !given.email) return null
  return {
    path,
    teamId,
    clientId: given.client_id,
    name: given.name,
    kind: given.kind,
    profile: given.profile ?? 'standard',
    registration,
    secret: given.client_secret,
    redirectUris: given.redirect_uris ?? [],
    ...scopes,
    waitingScopes: [],
    email: given.email,
    logo: given.logo || undefined,
    homepage: given.homepage,
    policyUri: given.policy_uri,
    tosUri: given.tos_uri,
    keys,
    mailDomains: given.mail_domains,
  }
}

type Given = NonNullable<ReturnType<typeof readFields<typeof appFields>>>

function readRedirectUris(
  { redirect_uris: uris, kind }: Given,
  path: string,
  { issuerIsLoopback }: AppRules,
  report: Report,
) {
  if (!uris) return
  const list = at(path, 'redirect_uris')
  if (uris.length === 0) report(list, 'must name at least one')
  // Without a valid kind, checks only the rules that hold for every kind.
  checkRedirectUris(uris, list, { kind: kind ?? 'public', issuerIsLoopback }, report)
}

/** Reads the scopes an app may ask for and those a person cannot decline (spec §2.6; design §8). */
function readScopes(
  { scopes, required_scopes: required, email }: Given,
  path: string,
  { knownScopes }: AppRules,
  report: Report,
) {
  if (!scopes) return { scopes: [], requiredScopes: [] }
  for (const [name, listed] of Object.entries({ scopes, required_scopes: required ?? [] })) {
    const entries = listed.map((key, index) => ({ key, path: at(path, name, index) }))
    for (const entry of entries) {
      const known = knownScopes.includes(entry.key)
      if (!known) report(entry.path, `is not a scope; there are ${knownScopes.join(' ')}`)
      else if (!scopes.includes(entry.key)) report(entry.path, 'is not among the scopes of this app')
    }
    reportDuplicates(entries, report)
  }
  if (!scopes.includes('openid')) report(at(path, 'scopes'), 'must include openid')
  const asks = scopes.includes('email')
  if (asks && email === 'none') report(at(path, 'email'), 'must be optional or required, since scopes include email')
  if (!asks && email && email !== 'none') report(at(path, 'scopes'), `must include email, since email is ${email}`)
  if (required?.includes('email') && email === 'optional') {
    report(at(path, 'required_scopes'), 'must not include email, since email is optional')
  }
  const always = ['openid', ...(email === 'required' ? ['email'] : []), ...(required ?? [])]
  const inOrder = (names: string[]) => knownScopes.filter((scope) => names.includes(scope))
  return { scopes: inOrder(scopes), requiredScopes: inOrder(always) }
}

function checkSecret({ client_secret: secret, kind }: Given, path: string, report: Report) {
  if (secret === undefined || kind === undefined || kind === 'confidential') return
  report(at(path, 'client_secret'), `must not be given: an app of kind ${kind} has none`)
}

/**
 * Checks the jwks_uri of an app. RFC 7591 §2 forbids jwks and jwks_uri in one request. Keys that are already
 * registered stay valid, so that an app can change from one to the other.
 */
function checkKeyAddress(
  { jwks_uri: uri, jwks, kind, profile = 'standard' }: Given,
  path: string,
  rules: AppRules,
  report: Report,
) {
  if (!uri) return
  const here = at(path, 'jwks_uri')
  if (kind && !profileOf(profile).keyKinds.includes(kind))
    report(here, `must not be given: an app of kind ${kind} signs nothing`)
  if (jwks !== undefined) report(here, 'must not be given beside jwks; registered keys stay until you remove them')
  const problem = fetchedUriProblem(uri, rules.issuerIsLoopback)
  if (problem) report(here, problem)
}

/** Reads the public keys of an assertion app (spec §2.5). */
function readKeys(
  { jwks, jwks_uri: uri, kind, profile = 'standard' }: Given,
  path: string,
  report: Report,
): PublicKey[] {
  const here = at(path, 'jwks')
  if (jwks === undefined) {
    if (kind === 'assertion' && !uri)
      report(here, 'is missing: an app of kind assertion needs at least one public key, in jwks or at jwks_uri')
    return []
  }
  const list = (jwks as { keys?: unknown } | null)?.keys
  if (!Array.isArray(list)) {
    report(here, 'must be a JWK set: {"keys": […]}')
    return []
  }
  for (const name of Object.keys(jwks as object))
    if (name !== 'keys') report(at(here, name), 'is not a known key; there is keys')
  if (list.length === 0 && kind === 'assertion') report(at(here, 'keys'), 'must hold at least one public key')
  if (list.length > 20) report(at(here, 'keys'), 'must hold at most 20 keys')
  const { keyAlgs, keyKinds } = profileOf(profile)
  if (list.length > 0 && kind && !keyKinds.includes(kind))
    report(at(here, 'keys'), `must be empty: an app of kind ${kind} signs nothing`)
  const keys = list.map((jwk, index) => ({ path: at(here, 'keys', index), read: readPublicKey(jwk, keyAlgs) }))
  for (const { path: where, read } of keys) if (!read.ok) report(where, read.reason)
  const good = keys.flatMap(({ path: where, read }) => (read.ok ? [{ path: at(where, 'kid'), key: read.key }] : []))
  reportDuplicates(
    good.map((one) => ({ key: one.key.kid, path: one.path })),
    report,
  )
  return good.map((one) => one.key)
}

/** Checks an address that the consent page links to; https only, except on a loopback issuer. */
function pageProblem(address: string, { issuerIsLoopback }: AppRules): string | undefined {
  if (address.length > 2000) return 'must have at most 2000 characters'
  const schemes = issuerIsLoopback ? /^https?:\/\/[^/]/ : /^https:\/\/[^/]/
  if (/[\s\p{Cc}\\]/u.test(address) || !schemes.test(address) || !URL.canParse(address))
    return 'must be an https address, or ""'
  const { username, password } = new URL(address)
  return username || password ? 'must not hold a user name or password' : undefined
}

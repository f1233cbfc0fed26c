import { z } from 'zod'
import { at, type Report, readFields } from '#lib/text/read-fields'
import { oneOf, text } from '#lib/text/text-rules'
import { displayName } from './app-fields.ts'
import type { AppRules } from './app-rules.ts'

/** An API as a file declares it (RFC 8707). */
export type DeclaredApi = {
  path: string
  teamId: string
  identifier: string
  name: string
  scopes: string[]
  /** Those of the scopes that the team marks as sensitive. */
  sensitiveScopes: string[]
  /** Scopes that wait for an operator's approval; a file of the operator has none. */
  waitingScopes: string[]
  signingAlg: 'ES256' | 'RS256'
}

/** The inputs of the rules that are not in the file: the app rules and the issuer. */
export type ApiRules = AppRules & { issuer: string }

/** The rule of each field of an API. */
export const apiFields = {
  identifier: text,
  name: displayName,
  scopes: z
    .array(text.regex(/^[A-Za-z0-9._:/~+-]{1,64}$/, 'must be 1 to 64 of the characters A-Z a-z 0-9 . _ : / ~ + -'), {
      error: 'must be a list of texts',
    })
    .min(1, 'must name at least one')
    .max(20, 'must name at most 20'),
  sensitive_scopes: z.array(text, { error: 'must be a list of texts' }).optional(),
  signing_alg: oneOf(['ES256', 'RS256']).prefault('ES256'),
}

/** Reads one API of the file and reports every problem; returns null when there is one. */
export function readApi(
  input: unknown,
  path: string,
  teamId: string,
  rules: ApiRules,
  report: Report,
): DeclaredApi | null {
  const given = readFields(apiFields, input, path, report)
  if (!given) return null
  const { identifier, name, scopes, sensitive_scopes: sensitiveScopes = [], signing_alg: signingAlg } = given
  const problem = identifier === undefined ? undefined : identifierProblem(identifier, rules)
  if (problem) report(at(path, 'identifier'), problem)
  for (const [index, scope] of (scopes ?? []).entries())
    if (isReserved(scope, rules)) report(at(path, 'scopes', index), 'is a scope of the service; choose another name')
  for (const [index, scope] of sensitiveScopes.entries())
    if (scopes && !scopes.includes(scope))
      report(at(path, 'sensitive_scopes', index), 'is not among the scopes of this API')
  if (!identifier || !name || !scopes || !signingAlg) return null
  return { path, teamId, identifier, name, scopes, sensitiveScopes, waitingScopes: [], signingAlg }
}

/**
 * Checks an identifier: an absolute URI without fragment (RFC 8707 §2). An address of the issuer is refused, because an
 * access token for Postern itself has the issuer as its audience.
 */
function identifierProblem(identifier: string, { issuer, issuerIsLoopback }: ApiRules): string | undefined {
  if (identifier.length > 200) return 'must have at most 200 characters'
  const schemes = issuerIsLoopback ? /^https?:\/\/[^/]/ : /^https:\/\/[^/]/
  if (!/^[\x21-\x7e]+$/.test(identifier) || identifier.includes('\\') || !schemes.test(identifier))
    return 'must be an https address in ASCII characters'
  if (!URL.canParse(identifier)) return 'must be an https address in ASCII characters'
  if (/[?#]/.test(identifier)) return 'must have neither a query nor a fragment'
  const { origin, username, password } = new URL(identifier)
  if (username || password) return 'must not hold a user name or password'
  return origin === new URL(issuer).origin ? 'must not be an address of the issuer' : undefined
}

/** Returns whether a scope has a meaning for Postern or in OpenID Connect Core (§5.4, §11), in any spelling. */
const isReserved = (scope: string, { knownScopes }: ApiRules) =>
  [...knownScopes, 'address', 'phone', 'offline_access'].includes(scope.toLowerCase())

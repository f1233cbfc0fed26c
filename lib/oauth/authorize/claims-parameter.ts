import type { Client } from '#lib/oauth/client/client'
import { profileOf } from '#lib/oauth/client/profile'
import type { Parameters } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'
import { profileScopes } from '#lib/oauth/scope'
import type { ClaimValues, ValuesByClaim } from '#lib/oauth/store'
import { type ContextClass, contextClasses, unmetClass } from './context-class.ts'

/** The part of the parameter `claims` that the sealed request keeps. */
export type AskedClaims = {
  /** The person's claims that the ID token gets if their scopes are granted. */
  idToken: string[]
  /** Whether `auth_time` is requested for the ID token. */
  authTime: boolean
  /**
   * The requested classes if `acr` is essential: the sign-in must reach one of them (OpenID Connect Core §5.5.1.1).
   */
  classes: ContextClass[] | undefined
  /** Absent if no claim of the person is requested with a value. */
  values?: ClaimValues
}

/** Everything that the parameter `claims` asks for. */
export type ReadClaims = {
  kept: AskedClaims
  /** The scopes that grant the claims. */
  scopes: string[]
  /** The requested `sub`: the person must have this identifier. */
  subject: string | undefined
  preferredClass: ContextClass | undefined
}

/** The maximum length of the parameter in characters. */
const most = 4096

const personClaims: readonly string[] = [...profileScopes, 'updated_at', 'email', 'email_verified']

/**
 * Reads the parameter `claims` (OpenID Connect Core §5.5); undefined if it is absent, or if the profile of the app
 * ignores it. Ignores unknown members and claims, and the language tag of a claim (§5.2), because each claim has one
 * value, whose language is not known.
 */
export function readClaims({ profile }: Client, parameters: Parameters): ReadClaims | undefined {
  const text = parameters.get('claims')
  if (text === undefined || !profileOf(profile).claimsParameter) return undefined
  if (text.length > most) throw wrong(`is longer than ${most} characters`)
  const members = objectIn(parse(text))
  const [userinfo, idToken] = [claimsIn(members.get('userinfo')), claimsIn(members.get('id_token'))]
  const idTokenNames = namesIn(idToken)
  const { known, isEssential } = readAcr(idToken.get('acr'))
  const values = { userinfo: requestedValues(userinfo), idToken: requestedValues(idToken) }
  const hasValues = Object.values(values).some((one) => Object.keys(one).length > 0)
  return {
    kept: {
      idToken: idTokenNames,
      authTime: idToken.has('auth_time'),
      classes: isEssential ? known : undefined,
      ...(hasValues && { values }),
    },
    scopes: [...namesIn(userinfo), ...idTokenNames].flatMap(scopeOf),
    subject: readSubject([userinfo.get('sub'), idToken.get('sub')]),
    preferredClass: known[0],
  }
}

const wrong = (problem: string) => new OAuthError('invalid_request', `The parameter claims ${problem}.`)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong('is not JSON')
  }
}

/** Returns the members of a JSON object as a map, in which names such as `__proto__` have no special meaning. */
function objectIn(value: unknown): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong('must be an object whose members are objects')
  return new Map(Object.entries(value))
}

/** The conditions on a requested claim; a claim requested with `null` has none (§5.5.1). */
type Asked = Map<string, unknown>

const claimsIn = (member: unknown): Map<string, Asked> =>
  new Map(
    [...objectIn(member ?? {})].map(([name, asked]) => [name, asked === null ? new Map() : objectIn(asked)] as const),
  )

const withoutLanguage = (name: string) => name.replace(/#.*$/s, '')

const namesIn = (claims: Map<string, Asked>): string[] => [
  ...new Set([...claims.keys()].map(withoutLanguage).filter((name) => personClaims.includes(name))),
]

/**
 * Returns the scope that grants a claim (specification §2.7); none for `updated_at`, which any scope of the profile
 * grants.
 */
function scopeOf(claim: string): string[] {
  if (claim === 'updated_at') return []
  return [claim === 'email_verified' ? 'email' : claim]
}

/** Returns the requested values of a claim: its `value`, or its `values`. */
function valuesOf(asked: Asked | undefined): unknown[] {
  const [value, values] = [asked?.get('value'), asked?.get('values')]
  if (value !== undefined) return [value]
  return Array.isArray(values) ? values : []
}

/** No claim of a person is a list or an object. */
const isScalar = (value: unknown) => typeof value !== 'object'

/**
 * Returns the acceptable values of each claim that is requested only with values. A claim can be requested in several
 * languages; if one of these requests has no values, any value is acceptable. Null counts as no value, because some
 * libraries write absent members as null.
 */
function requestedValues(claims: Map<string, Asked>): ValuesByClaim {
  const requested = namesIn(claims).map((name) => {
    const requests = [...claims].filter(([asked]) => withoutLanguage(asked) === name)
    return [name, requests.map(([, asked]) => valuesOf(asked).filter((value) => value !== null))] as const
  })
  const restricted = requested.filter(([, requests]) => requests.every((values) => values.length > 0))
  return Object.fromEntries(restricted.map(([name, requests]) => [name, requests.flat().filter(isScalar)]))
}

/**
 * Returns the `sub` that is requested for userinfo, for the ID token or for both; refuses two different ones (OpenID
 * Connect Core §3.1.2.2).
 */
function readSubject(asked: (Asked | undefined)[]): string | undefined {
  const subjects = new Set(asked.flatMap(valuesOf))
  if (subjects.size > 1) throw wrong('asks for more than one sub')
  const [subject] = subjects
  if (subject === undefined || (typeof subject === 'string' && subject.length <= 255)) return subject
  throw wrong('asks for a sub that is not a text of at most 255 characters')
}

/**
 * Returns the known classes among the requested values of `acr`. The values of an essential `acr` are binding (OpenID
 * Connect Core §5.5.1.1), so the request is refused if none of them is known.
 */
function readAcr(asked: Asked | undefined): { known: ContextClass[]; isEssential: boolean } {
  const values = valuesOf(asked)
  const known = values.flatMap((value) => contextClasses.filter((one) => one === value))
  const isEssential = asked?.get('essential') === true && values.length > 0
  if (isEssential && known.length === 0) throw unmetClass()
  return { known, isEssential }
}

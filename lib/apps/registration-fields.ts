import { z } from 'zod'
import { type ClientKind, type ProfileName, profileOf } from '#lib/oauth/client/profile'
import type { Registration } from '#lib/oauth/client/registration'
import type { nameFields } from '#lib/text/localized-name'
import { at, type Report } from '#lib/text/read-fields'
import { oneOf, plainText, text } from '#lib/text/text-rules'
import { checkRedirectUris, fetchedUriProblem } from './redirect-uri-rules.ts'

const flag = z.boolean({ error: 'must be true or false' })

/** The name in a language (RFC 7591 §2.2: `client_name#ja`); "" for none. */
const localName = z.union([z.literal(''), plainText(1, 80)]).optional()

const names = {
  'name#en': localName,
  'name#zh-CN': localName,
  'name#zh-TW': localName,
  'name#ja': localName,
} satisfies Record<(typeof nameFields)[number], z.ZodType>

/**
 * The fields of RFC 7591, and additional ones of Postern, that a file may give for an app. An absent field keeps its
 * stored value.
 */
export const registrationFields = {
  ...names,
  jwks_uri: text.optional(),
  id_token_signed_response_alg: oneOf(['ES256', 'RS256']).optional(),
  authorization_signed_response_alg: oneOf(['ES256', 'RS256']).optional(),
  introspection_signed_response_alg: oneOf(['ES256', 'RS256']).optional(),
  id_token_claims: flag.optional(),
  backchannel_logout_uri: text.optional(),
  backchannel_logout_session_required: flag.optional(),
  token_endpoint_auth_method: oneOf([
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'none',
  ]).optional(),
  post_logout_redirect_uris: z.array(text, { error: 'must be a list of texts' }).optional(),
  require_pushed_authorization_requests: flag.optional(),
  request_object_signing_alg: oneOf(['ES256', 'PS256', 'EdDSA', 'Ed25519', 'RS256']).optional(),
  require_signed_request_object: flag.optional(),
  dpop_bound_access_tokens: flag.optional(),
  dpop_nonces: flag.optional(),
  dpop_access_token_seconds: z
    .int('must be a whole number')
    .refine((seconds) => seconds === 0 || (seconds >= 30 && seconds <= 3600), {
      error: 'must be 30 to 3600, or 0 for the default',
    })
    .optional(),
}

type Given = { [Field in keyof Registration]: Registration[Field] | undefined }
type App = Given & { kind?: ClientKind | undefined; profile?: ProfileName | undefined }

/** Checks the fields against the profile and the kind of the app, and returns them. */
export function readRegistration(
  given: App,
  path: string,
  { issuerIsLoopback }: { issuerIsLoopback: boolean },
  report: Report,
): Registration {
  const { kind, profile = 'standard', token_endpoint_auth_method: method } = given
  const rules = profileOf(profile)
  if (kind && !rules.kinds.includes(kind))
    report(at(path, 'profile'), `must be ${rules.kinds.join(' or ')} for an app of kind ${kind}`)
  const methods = kind && rules.authMethods[kind]
  if (method && methods?.length && !methods.includes(method))
    report(
      at(path, 'token_endpoint_auth_method'),
      `must be ${methods.join(' or ')} for an app of kind ${kind} and profile ${profile}`,
    )
  checkResponseAlgs(given, path, report)
  checkRequestObjects(given, path, report)
  const { dpop_access_token_seconds: seconds } = given
  if (seconds && kind && kind !== 'public')
    report(at(path, 'dpop_access_token_seconds'), `must be 0: an app of kind ${kind} refreshes its tokens`)
  // RP-Initiated Logout 1.0 §3.1; these URIs obey the rules of redirect URIs.
  const redirects = { kind: kind ?? 'public', issuerIsLoopback } as const
  checkRedirectUris(given.post_logout_redirect_uris ?? [], at(path, 'post_logout_redirect_uris'), redirects, report)
  const { backchannel_logout_uri: logoutUri } = given
  const problem = logoutUri && fetchedUriProblem(logoutUri, issuerIsLoopback)
  if (problem) report(at(path, 'backchannel_logout_uri'), problem)
  return declared(given)
}

const responseAlgs = [
  'id_token_signed_response_alg',
  'authorization_signed_response_alg',
  'introspection_signed_response_alg',
] as const

/** Checks the algorithms of signed responses (OpenID Connect Registration §2, JARM §3, RFC 9701 §6). */
function checkResponseAlgs({ kind, profile = 'standard', ...given }: App, path: string, report: Report) {
  const { idTokenAlgs, responseModes } = profileOf(profile)
  if (given.introspection_signed_response_alg && kind === 'public')
    report(at(path, 'introspection_signed_response_alg'), 'must not be given: an app of kind public cannot introspect')
  if (given.authorization_signed_response_alg && !responseModes.includes('jwt'))
    report(
      at(path, 'authorization_signed_response_alg'),
      `must not be given: profile ${profile} has no signed authorization responses`,
    )
  for (const name of responseAlgs) {
    const alg = given[name]
    if (alg && !idTokenAlgs.includes(alg))
      report(at(path, name), `must be ${idTokenAlgs.join(' or ')} for profile ${profile}`)
  }
}

/** Checks the algorithm of request objects, and that an app which must sign them can have a key (RFC 9101 §10.5). */
function checkRequestObjects({ kind, profile = 'standard', ...given }: App, path: string, report: Report) {
  const { keyKinds, requestObjectAlgs } = profileOf(profile)
  const alg = given.request_object_signing_alg
  if (alg && !requestObjectAlgs.includes(alg))
    report(at(path, 'request_object_signing_alg'), `must be ${requestObjectAlgs.join(' or ')} for profile ${profile}`)
  if (given.require_signed_request_object && kind && !keyKinds.includes(kind))
    report(
      at(path, 'require_signed_request_object'),
      `must be false: an app of kind ${kind} and profile ${profile} has no key to sign with`,
    )
}

/** Returns the fields that the file gives. */
function declared(given: App): Registration {
  const names = Object.keys(registrationFields) as (keyof Registration)[]
  return Object.fromEntries(names.map((name) => [name, given[name]]).filter(([, value]) => value !== undefined))
}

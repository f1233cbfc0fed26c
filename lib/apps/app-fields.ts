import { z } from 'zod'
import { profileNames } from '#lib/oauth/client/profile'
import { oneOf, plainText, text } from '#lib/text/text-rules'
import { mailDomain } from './mail-domain-rules.ts'
import { registrationFields } from './registration-fields.ts'

export const appKinds = ['confidential', 'public', 'assertion'] as const
export type AppKind = (typeof appKinds)[number]

export const emailRules = ['none', 'optional', 'required'] as const
export type EmailRule = (typeof emailRules)[number]

/** A team id or client_id: unreserved characters (RFC 3986 §2.3), which need no escaping in URLs and HTTP Basic. */
export const identifier = text.regex(/^[A-Za-z0-9._~-]{3,64}$/, 'must be 3 to 64 of the characters A-Z a-z 0-9 - . _ ~')

export const displayName = plainText(1, 80)

/** The rule of each field of an app; `app-rules.ts` holds the rules between fields. */
export const appFields = {
  client_id: identifier,
  name: displayName,
  kind: oneOf(appKinds),
  client_secret: text.regex(/^[\x20-\x7e]{16,256}$/, 'must be 16 to 256 printable ASCII characters').optional(),
  redirect_uris: texts('is missing: give at least one'),
  scopes: texts('').prefault(['openid']),
  required_scopes: texts('').optional(),
  email: oneOf(emailRules).prefault('none'),
  logo: text.optional(),
  homepage: text.optional(),
  policy_uri: text.optional(),
  tos_uri: text.optional(),
  jwks: z.unknown().optional(),
  mail_domains: z.array(mailDomain, { error: 'must be a list of texts' }).optional(),
  profile: oneOf(profileNames).prefault('standard'),
  ...registrationFields,
}

function texts(missing: string) {
  return z.array(text, { error: (issue) => (issue.input === undefined ? missing : 'must be a list of texts') })
}

import type { AppKind } from '#lib/apps/app-fields'
import { registrationFields } from '#lib/apps/registration-fields'
import type { TeamApp } from '#lib/console/app/store'
import type { ProfileName } from '#lib/oauth/client/profile'
import { knownScopes } from '#lib/oauth/scope'
import { metadataName } from './metadata-name.ts'
import { RegistrationRefusal } from './refusal.ts'

type Metadata = Record<string, unknown>

/** Reads the JSON object of a request; drops null members, which count as absent (RFC 7592 §2.2). */
export async function readMetadata(request: Request): Promise<Metadata> {
  const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/json') throw refuse('Send the metadata as application/json.')
  const sent = parse(await request.text())
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw refuse('The metadata is no JSON object.')
  // RFC 7591 §3.2.2: no software statement is approved here.
  if ('software_statement' in sent)
    throw new RegistrationRefusal('unapproved_software_statement', 'Software statements are not accepted.')
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
}

/**
 * Returns the declaration of an app with this metadata. Ignores unknown fields (RFC 7591 §2), and fetches no address of
 * the metadata: `logo_uri` is ignored, and `jwks_uri` is read when the app first signs.
 */
export function declarationOf(sent: Metadata, id: string, profile: ProfileName): Record<string, unknown> {
  checkGrants(sent)
  const { client_name: name = id, client_uri: homepage, policy_uri: policy, tos_uri: tos, redirect_uris, jwks } = sent
  const { scopes, email } = readScopes(sent.scope, sent.waiting_scope)
  const registered = Object.keys(registrationFields).map((field) => [field, sent[metadataName(field)]])
  return withoutUndefined({
    ...Object.fromEntries(registered),
    token_endpoint_auth_method: sent.token_endpoint_auth_method ?? 'client_secret_basic',
    ...{ client_id: id, name, kind: kindOf(sent), profile, redirect_uris, scopes, email, jwks },
    ...{ homepage: homepage ?? '', policy_uri: policy ?? '', tos_uri: tos ?? '' },
  })
}

/** The kind of app that authenticates by each method (RFC 7591 §2). */
const kinds: Record<string, AppKind> = {
  none: 'public',
  client_secret_basic: 'confidential',
  client_secret_post: 'confidential',
  private_key_jwt: 'assertion',
}

/** Returns the kind of app that metadata describes. */
export function kindOf({ token_endpoint_auth_method: method = 'client_secret_basic' }: Metadata): AppKind {
  const kind = typeof method === 'string' && Object.hasOwn(kinds, method) ? kinds[method] : undefined
  if (!kind) throw refuse(`token_endpoint_auth_method must be ${Object.keys(kinds).join(', ')}.`)
  return kind
}

/** Refuses grants and response types other than those of the code flow, which every app has (RFC 7591 §2.1). */
function checkGrants({ grant_types: grants, response_types: types }: Metadata): void {
  const isAmong = (list: unknown, known: string[]) =>
    list === undefined || (Array.isArray(list) && list.every((one) => known.includes(one)))
  if (!isAmong(types, ['code']) || (Array.isArray(types) && types.length === 0))
    throw refuse('response_types must be code.')
  if (!isAmong(grants, ['authorization_code', 'refresh_token']))
    throw refuse('grant_types must be authorization_code and refresh_token.')
  if (Array.isArray(grants) && !grants.includes('authorization_code'))
    throw refuse('grant_types must include authorization_code.')
}

/** Returns the known scopes among those of the metadata. RFC 7591 §2 lets the server choose; unknown ones are left out. */
function readScopes(
  scope: unknown = 'openid',
  waiting: unknown = '',
): { scopes: string[]; email: 'none' | 'optional' } {
  if (typeof scope !== 'string' || typeof waiting !== 'string')
    throw refuse('scope must be text with spaces between the scopes.')
  // RFC 7592 §2.2: a client repeats the metadata that it has read, and those are among them.
  const asked = `${scope} ${waiting}`.split(' ')
  const scopes = knownScopes.filter((one) => one === 'openid' || asked.includes(one))
  return { scopes: [...scopes], email: scopes.includes('email') ? 'optional' : 'none' }
}

/** Returns the metadata of an app (RFC 7591 §3.2.1), without secrets. */
export function metadataOf(app: TeamApp, issuer: string): Record<string, unknown> {
  const declared = app.declaration
  const registered = Object.keys(registrationFields).map((field) => [metadataName(field), declared[field]])
  return withoutUndefined({
    ...Object.fromEntries(registered.filter(([, value]) => value !== '')),
    client_id: app.id,
    client_id_issued_at: Math.floor(app.createdAt.getTime() / 1000),
    client_name: declared.name,
    redirect_uris: declared.redirect_uris,
    grant_types: app.kind === 'public' ? ['authorization_code'] : ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: app.scopes.join(' '),
    // A member of Postern's own: scopes that wait for an operator's approval.
    waiting_scope: app.waitingScopes.join(' ') || undefined,
    subject_type: 'pairwise',
    client_uri: declared.homepage || undefined,
    policy_uri: declared.policy_uri || undefined,
    tos_uri: declared.tos_uri || undefined,
    jwks: declared.jwks,
    registration_client_uri: `${issuer}/register/${app.id}`,
  })
}

const withoutUndefined = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('The metadata is not JSON.')
  }
}

/** Returns the refusal of metadata for one reason. */
export const refuse = (description: string) => new RegistrationRefusal('invalid_client_metadata', description)

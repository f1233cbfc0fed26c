import { type DeclaredApp, readApp } from '#lib/apps/app-rules'
import { splitAppScopes } from '#lib/apps/sensitive-scopes'
import type { TeamApp } from '#lib/console/app/store'
import type { ConsoleContext } from '#lib/console/context'
import { type ProfileName, profileOf } from '#lib/oauth/client/profile'
import { knownScopes } from '#lib/oauth/scope'
import { nameFields } from '#lib/text/localized-name'
import type { Problem } from '#lib/text/read-fields'

/** The fields of an app that the console edits: texts, lists with one entry on each line, lists of boxes, and single boxes. */
const lines = ['redirect_uris', 'post_logout_redirect_uris'] as const
const boxes = ['scopes', 'required_scopes'] as const
const flags = ['id_token_claims', 'require_pushed_authorization_requests', 'dpop_bound_access_tokens'] as const
const texts = [
  'name',
  'kind',
  'profile',
  'email',
  'homepage',
  'policy_uri',
  'tos_uri',
  'jwks_uri',
  'backchannel_logout_uri',
  'id_token_signed_response_alg',
  ...nameFields,
] as const
type Field = (typeof lines)[number] | (typeof boxes)[number] | (typeof flags)[number] | (typeof texts)[number]

/** The fields of a new app. */
export const newAppFields = ['name', 'kind', 'profile', 'redirect_uris', 'scopes', 'email', 'jwks_uri'] as const

/** The fields that need no recent sign-in: never one that decides how the app authenticates. */
export const settingsFields = [
  'name',
  'redirect_uris',
  'post_logout_redirect_uris',
  'scopes',
  'email',
  'profile',
  'homepage',
  'policy_uri',
  'tos_uri',
  'backchannel_logout_uri',
  'required_scopes',
  'id_token_signed_response_alg',
  ...nameFields,
  ...flags,
] as const

type Form = { get(name: string): string; all(name: string): string[] }

/**
 * Returns the declaration of an app with those of the allowed fields that a form gives. A form names the fields that it
 * shows in `shown`, because a browser does not send a box that is not checked; every other field keeps its value.
 */
export function withForm(
  declaration: Record<string, unknown>,
  form: Form,
  allowed: readonly Field[],
): Record<string, unknown> {
  const shown = new Set(form.all('shown'))
  const given = {
    ...of(texts, (name) => form.get(name).trim()),
    ...of(lines, (name) => linesOf(form.get(name))),
    ...of(boxes, (name) => form.all(name)),
    ...of(flags, (name) => form.all('flags').includes(name)),
  }
  const fields = allowed
    .filter((name) => shown.has(name) && !isUnsetDefault(declaration, name, given[name]))
    .map((name) => [name, given[name]])
  return withScopeRules({ ...declaration, ...Object.fromEntries(fields) })
}

/** Returns whether a field was not registered, and the form shows its default: a form does not register defaults. */
function isUnsetDefault(declaration: Record<string, unknown>, name: Field, value: unknown): boolean {
  if (declaration[name] !== undefined) return false
  if (nameFields.some((field) => field === name)) return value === ''
  if (name === 'id_token_signed_response_alg')
    return value === profileOf((declaration.profile ?? 'standard') as ProfileName).idTokenAlgs[0]
  return flags.some((flag) => flag === name) && value === false
}

const of = <Name extends string, Value>(names: readonly Name[], value: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>

export const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/**
 * Adds the scopes that the form does not show: openid, and email if the app asks for the address. A scope that the app no
 * longer asks for is not required either.
 */
function withScopeRules(declaration: Record<string, unknown>) {
  const { scopes, required_scopes: required, email = 'none' } = declaration
  if (!Array.isArray(scopes)) return declaration
  const others = scopes.filter((scope) => scope !== 'openid' && scope !== 'email')
  const asked = ['openid', ...others, ...(email === 'none' ? [] : ['email'])]
  const kept = Array.isArray(required) && { required_scopes: required.filter((scope) => asked.includes(scope)) }
  return { ...declaration, scopes: asked, ...kept }
}

/**
 * Reads a declaration with the rules of `cli apply`. Where operators review sensitive scopes, those that the app may not
 * ask for yet (`before` is the app as it is, undefined for a new one) wait.
 */
export function declare(
  { config }: Pick<ConsoleContext, 'config'>,
  declaration: Record<string, unknown>,
  teamId: string,
  before: Pick<TeamApp, 'scopes'> | undefined,
): { app: DeclaredApp | undefined; problems: Problem[] } {
  const problems: Problem[] = []
  const rules = { issuerIsLoopback: config.evaluation, knownScopes }
  const app = readApp(declaration, '', teamId, rules, (path, message) => problems.push({ path, message }))
  if (!app || problems.length > 0) return { app: undefined, problems }
  return { app: config.reviewsScopes ? { ...app, ...splitAppScopes(app.scopes, before?.scopes) } : app, problems }
}

/** Returns the problems of a declaration beside the fields of the form; `text` is the sentence of the rule. */
export const besideFields = (problems: Problem[]) =>
  problems.slice(0, 20).map(({ path, message }) => ({
    // A name in a language has a path in brackets: ["name#ja"].
    field: /^(?:\[")?([\w#-]+)/.exec(path)?.[1] ?? '',
    code: 'rule',
    // The place in a list: redirect_uris[1] is the second line.
    line: Number(/\[(\d+)\]/.exec(path)?.[1] ?? -1) + 1,
    // A file gives "" for no address; a form has an empty field.
    text: message.replace(', or ""', '').slice(0, 300),
  }))

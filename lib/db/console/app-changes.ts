import type { Act } from '#lib/console/audit/act'
import type { Difference, Plan } from '#lib/db/provision/provision-plan'

/** The columns of an app whose names differ from those in a file. */
const namesInFile: Record<string, string> = {
  redirectUris: 'redirect_uris',
  requiredScopes: 'required_scopes',
  waitingScopes: 'waiting_scopes',
  policyUri: 'policy_uri',
  tosUri: 'tos_uri',
  logoFile: 'logo',
}

/** Returns the changed fields by their names in a file, before and after, and the names of new keys. */
export function changesOf({ steps }: Pick<Plan, 'steps'>): Pick<Act, 'before' | 'after'> {
  const differences = steps.flatMap((step) => step.differences).flatMap(fieldsOf)
  const keys = steps.flatMap(({ change }) =>
    change.kind === 'key' ? [change.id.slice(change.id.indexOf('/') + 1)] : [],
  )
  const side = (name: 'before' | 'after') =>
    Object.fromEntries(differences.map((one) => [one.field, shown(one[name])]).filter(([, value]) => value !== ''))
  return { before: side('before'), after: { ...side('after'), ...(keys.length > 0 && { kid: keys.join(' ') }) } }
}

/** Lists are JSON in a column, and the column `registration` holds many fields. */
function fieldsOf({ field, before, after }: Difference): Difference[] {
  const read = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : undefined)
  const name = namesInFile[field] ?? field
  if (field === 'redirectUris') return [{ field: name, before: read(before), after: read(after) }]
  if (field !== 'registration') return [{ field: name, before, after }]
  const [old, next] = [read(before) ?? {}, read(after)]
  return Object.keys(next)
    .filter((one) => JSON.stringify(old[one]) !== JSON.stringify(next[one]))
    .map((one) => ({ field: one, before: old[one], after: next[one] }))
}

/** Returns a value as text; a list with spaces, because neither scopes nor URIs contain one. */
const shown = (value: unknown): string =>
  value === undefined || value === null ? '' : (Array.isArray(value) ? value.join(' ') : String(value)).slice(0, 2000)

import type { Act } from '#lib/console/audit/act'
import type { Difference, Plan } from '#lib/db/provision/provision-plan'

const namesInFile: Record<string, string> = {
  signingAlg: 'signing_alg',
  sensitiveScopes: 'sensitive_scopes',
  waitingScopes: 'waiting_scopes',
}

/** Returns the changed fields of an API by their names in a file, before and after. */
export function apiChangesOf({ steps }: Pick<Plan, 'steps'>): Pick<Act, 'before' | 'after'> {
  const differences = steps.flatMap((step) => step.differences)
  return { before: side(differences, 'before'), after: side(differences, 'after') }
}

const side = (differences: Difference[], name: 'before' | 'after'): Record<string, string> =>
  Object.fromEntries(
    differences
      .filter((one) => one[name] !== undefined && one[name] !== '')
      .map((one) => [namesInFile[one.field] ?? one.field, String(one[name])]),
  )

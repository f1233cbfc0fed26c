import { expandBundle, holdsScope } from '#lib/oauth/scope'

/** The scopes of the service that need an operator's approval where SENSITIVE_SCOPES=review. */
const sensitive: readonly string[] = ['region', 'gender', 'birthdate']

/** Returns whether a scope of the service is sensitive; the bundle `profile` is, because it contains such scopes. */
export const isSensitive = (scope: string): boolean => expandBundle([scope]).some((part) => sensitive.includes(part))

type Split = { scopes: string[]; waitingScopes: string[] }

/** Splits the declared scopes of an app. Sensitive data that the app may ask for already needs no approval. */
export function splitAppScopes(declared: readonly string[], allowed: readonly string[] = []): Split {
  const waits = (scope: string) =>
    expandBundle([scope]).some((part) => sensitive.includes(part) && !holdsScope(allowed, part))
  return split(declared, waits)
}

/**
 * Splits the declared scopes of an API. A scope that waits keeps waiting when its mark is removed; otherwise, removing
 * the mark would avoid the review.
 */
export function splitApiScopes(
  declared: readonly string[],
  marked: readonly string[],
  before: Split = { scopes: [], waitingScopes: [] },
): Split {
  const waits = (scope: string) =>
    !before.scopes.includes(scope) && (marked.includes(scope) || before.waitingScopes.includes(scope))
  return split(declared, waits)
}

const split = (declared: readonly string[], waits: (scope: string) => boolean): Split => ({
  scopes: declared.filter((scope) => !waits(scope)),
  waitingScopes: declared.filter(waits),
})

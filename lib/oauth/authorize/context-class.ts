import type { Parameters } from '#lib/oauth/endpoint'
import { OAuthError } from '#lib/oauth/error'

/** The NIST SP 800-63B assurance levels, the lowest first: `aal1` for one factor, `aal2` for several. */
export const contextClasses = ['aal1', 'aal2'] as const
export type ContextClass = (typeof contextClasses)[number]

/** Returns the authentication context class of a sign-in. */
export const achievedClass = (amr: string[]): ContextClass => (amr.includes('mfa') ? 'aal2' : 'aal1')

/** Returns the highest class of a sign-in that is among the required ones; undefined if it reaches none of them. */
export function reachedClass(amr: string[], required: readonly ContextClass[] = contextClasses) {
  const reached = contextClasses.slice(0, contextClasses.indexOf(achievedClass(amr)) + 1)
  return reached.findLast((one) => required.includes(one))
}

/**
 * Returns the first known class of `acr_values`, which lists voluntary classes in order of preference (OpenID Connect
 * Core §3.1.2.1).
 */
export function readClass(values: Parameters): ContextClass | undefined {
  const asked = (values.get('acr_values') ?? '').split(' ')
  return asked.map((value) => contextClasses.find((known) => known === value)).find((known) => known !== undefined)
}

/** The refusal of a request whose required class is not reached (OpenID Connect Core Unmet Authentication Requirements). */
export const unmetClass = () =>
  new OAuthError(
    'unmet_authentication_requirements',
    'The sign-in cannot reach the class (acr) that the request requires.',
  )

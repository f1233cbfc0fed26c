/** What protects an account: how its owner signs in, and how they get back into it. */
export type Protection = { passkeys: number; hasTotp: boolean; codesLeft: number | undefined; hasEmail: boolean }

export type SafetyStep = 'email' | 'passkey' | 'codes' | 'more_codes'

/** With fewer recovery codes than this, the overview asks for new ones. */
const fewCodes = 3

/**
 * Returns the one step that protects the account the most now; undefined if nothing is missing. A way back comes first: an
 * account without an address and without codes is lost with its password.
 */
export function nextSafetyStep({ passkeys, hasTotp, codesLeft, hasEmail }: Protection): SafetyStep | undefined {
  if (!hasEmail && codesLeft === undefined) return 'email'
  if (passkeys === 0) return 'passkey'
  if (codesLeft === undefined) return 'codes'
  if (codesLeft < fewCodes) return 'more_codes'
  return hasEmail || hasTotp ? undefined : 'email'
}

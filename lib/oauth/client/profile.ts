export type ProfileName = 'standard' | 'oidc' | 'fapi2'

/** The rules that differ between app profiles. */
export type Profile = {
  pkceRequired: boolean
  stateRequired: boolean
  /** Whether userinfo always has every claim, with defaults for scopes that are not granted (specification §2.7). */
  stableUserinfo: boolean
  /** The audiences that a client assertion may name. */
  assertionAudiences: (issuer: string) => string[]
}

const standard: Profile = {
  pkceRequired: true,
  stateRequired: true,
  stableUserinfo: true,
  // The specification requires the token endpoint (§2.5); standard libraries name the issuer, which is accepted too.
  assertionAudiences: (issuer) => [`${issuer}/oauth2/token`, issuer],
}

/** Returns the rules of a profile. `oidc` and `fapi2` cannot be registered yet, so every app has the specification's rules. */
export const profileOf = (_name: ProfileName): Profile => standard

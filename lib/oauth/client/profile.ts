export type ProfileName = 'standard' | 'oidc' | 'fapi2'

/** What differs between app profiles, in one table instead of scattered conditions. */
export type Profile = {
  pkceRequired: boolean
  stateRequired: boolean
  /** Whether userinfo always has every claim, with defaults for what was not granted (specification §2.7). */
  stableUserinfo: boolean
  /** Audiences a client assertion may name, given the issuer. */
  assertionAudiences: (issuer: string) => string[]
}

const standard: Profile = {
  pkceRequired: true,
  stateRequired: true,
  stableUserinfo: true,
  // Standard libraries name the issuer; accepted beside the specification's token endpoint (§2.5).
  assertionAudiences: (issuer) => [`${issuer}/oauth2/token`, issuer],
}

/** The rules of a profile. `oidc` and `fapi2` cannot be registered yet, so every app is held to the specification. */
export const profileOf = (_name: ProfileName): Profile => standard

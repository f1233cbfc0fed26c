/** The client types of specification §1. */
export type ClientKind = 'confidential' | 'public' | 'assertion'

export const profileNames = ['standard', 'oidc', 'fapi2'] as const
export type ProfileName = (typeof profileNames)[number]

/** The methods of client authentication by their registered names (RFC 7591 §2). */
export type AuthMethod = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none'
/** The algorithms of the keys of apps. Ed25519 is the newer name of EdDSA with that curve (RFC 9864 §2.2). */
export type SigningAlg = 'ES256' | 'RS256' | 'PS256' | 'EdDSA' | 'Ed25519'
/** The values of `response_mode`; `jwt` means `query.jwt` for a code (JARM §2.3.4). */
export type ResponseMode = 'query' | 'form_post' | 'jwt' | 'query.jwt' | 'form_post.jwt'
export type IdTokenAlg = 'ES256' | 'RS256'

/** The rules that differ between app profiles. Everything else is the same for every app. */
export type Profile = {
  /** The kinds of app that may have this profile. */
  kinds: readonly ClientKind[]
  /** The methods of authentication that an app of each kind may register. An app that registers none may use each. */
  authMethods: Record<ClientKind, readonly AuthMethod[]>
  /** The kinds of app that need PKCE. A challenge that is sent is checked for every kind. */
  pkceRequired: readonly ClientKind[]
  /** The kinds of app that must send `state`. */
  stateRequired: readonly ClientKind[]
  /** The kinds of app whose loopback redirect URIs match with any port (RFC 8252 §7.3). */
  anyLoopbackPort: readonly ClientKind[]
  /** Whether every authorization request must be pushed (RFC 9126). */
  parRequired: boolean
  responseModes: readonly ResponseMode[]
  /** Whether userinfo always has every claim, with defaults for scopes that are not granted (specification §2.7). */
  stableUserinfo: boolean
  /** Whether every access token is bound to a DPoP key (RFC 9449). */
  dpopRequired: boolean
  /** Whether the parameter `claims` is read (OpenID Connect Core §5.5); otherwise it is ignored. */
  claimsParameter: boolean
  /** Whether userinfo accepts the access token in the body of a form POST (RFC 6750 §2.2). */
  tokenInForm: boolean
  /** The algorithms of ID tokens and signed responses that an app may register; the first one is the default. */
  idTokenAlgs: readonly [IdTokenAlg, ...IdTokenAlg[]]
  /** The algorithms of a client assertion. */
  assertionAlgs: readonly SigningAlg[]
  /** The algorithms of a request object (RFC 9101). */
  requestObjectAlgs: readonly SigningAlg[]
  /** Whether a request object needs `exp` and `nbf` (FAPI 2.0 Message Signing §5.3.1). */
  requestObjectTimes: boolean
  /** The algorithms of the public keys that an app may register. */
  keyAlgs: readonly SigningAlg[]
  /** The kinds of app that may register public keys. */
  keyKinds: readonly ClientKind[]
  /** The audiences that a client assertion may name at an endpoint. */
  assertionAudiences: (issuer: string, endpoint: string) => string[]
  /** Whether the audience of a client assertion may be a list. */
  assertionAudienceList: boolean
  /** The maximum lifetime of an authorization code in seconds; `CODE_SECONDS` may be lower. */
  longestCode: number
  /** Whether a refresh replaces the refresh token. */
  refreshRotates: boolean
}

/** The algorithms of FAPI 2.0 Security Profile §5.4.1. */
const strongAlgs = ['ES256', 'PS256', 'EdDSA', 'Ed25519'] as const

const standard: Profile = {
  kinds: ['confidential', 'public', 'assertion'],
  authMethods: { confidential: ['client_secret_basic'], public: ['none'], assertion: ['private_key_jwt'] },
  pkceRequired: ['confidential', 'public', 'assertion'],
  stateRequired: ['confidential', 'public', 'assertion'],
  anyLoopbackPort: [],
  parRequired: false,
  responseModes: ['query', 'form_post'],
  stableUserinfo: true,
  claimsParameter: false,
  dpopRequired: false,
  tokenInForm: false,
  idTokenAlgs: ['ES256'],
  assertionAlgs: ['ES256'],
  requestObjectAlgs: strongAlgs,
  requestObjectTimes: false,
  keyAlgs: ['ES256'],
  keyKinds: ['assertion'],
  // The specification requires the token endpoint (§2.5); standard libraries name the issuer, which is accepted too, and
  // RFC 9126 §2 requires the endpoint for pushed requests where they arrive.
  assertionAudiences: (issuer, endpoint) => [
    `${issuer}/oauth2/token`,
    issuer,
    ...(endpoint === 'par' ? [`${issuer}/oauth2/par`] : []),
  ],
  assertionAudienceList: true,
  longestCode: 600,
  refreshRotates: true,
}

/** Adds the signed modes of JARM §2.3 to the plain ones of the specification (§4.2). */
const withSigned: readonly ResponseMode[] = ['query', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt']

/** The rules that a classic OpenID Connect client expects (OpenID Connect Core). */
const oidc: Profile = {
  ...standard,
  authMethods: { ...standard.authMethods, confidential: ['client_secret_basic', 'client_secret_post'] },
  pkceRequired: ['public'],
  idTokenAlgs: ['RS256', 'ES256'],
  responseModes: withSigned,
  stateRequired: ['public'],
  anyLoopbackPort: ['public'],
  stableUserinfo: false,
  claimsParameter: true,
  tokenInForm: true,
  assertionAlgs: strongAlgs,
  requestObjectAlgs: [...strongAlgs, 'RS256'],
  keyAlgs: [...strongAlgs, 'RS256'],
  keyKinds: ['assertion', 'confidential'],
}

/** FAPI 2.0 Security Profile. */
const fapi2: Profile = {
  ...standard,
  kinds: ['assertion'],
  authMethods: { confidential: [], public: [], assertion: ['private_key_jwt'] },
  stateRequired: [],
  parRequired: true,
  responseModes: withSigned,
  dpopRequired: true,
  stableUserinfo: false,
  claimsParameter: true,
  assertionAlgs: strongAlgs,
  requestObjectTimes: true,
  keyAlgs: strongAlgs,
  // The issuer as a string alone, so that an assertion for one server cannot be used at another (FAPI 2.0 §5.3.2.1).
  assertionAudiences: (issuer) => [issuer],
  assertionAudienceList: false,
  // FAPI 2.0 §5.3.2.1: "a maximum lifetime of 60 seconds", "shall not use refresh token rotation".
  longestCode: 60,
  refreshRotates: false,
}

const profiles: Record<ProfileName, Profile> = { standard, oidc, fapi2 }

/** Returns the rules of a profile. */
export const profileOf = (name: ProfileName): Profile => profiles[name]

/** Returns the values of one rule in any profile, for discovery. */
export const inAnyProfile = <Value>(values: (profile: Profile) => readonly Value[]): Value[] => [
  ...new Set(profileNames.flatMap((name) => values(profiles[name]))),
]

type AlgField = 'id_token_signed_response_alg' | 'authorization_signed_response_alg'
type RegisteredAlgs = { profile: ProfileName; registration: { [Field in AlgField]?: IdTokenAlg } }

/** Returns the algorithm that an app registered in a field, if its profile has it, else the profile's default. */
function registeredAlg({ profile, registration }: RegisteredAlgs, field: AlgField): IdTokenAlg {
  const { idTokenAlgs } = profileOf(profile)
  const registered = registration[field]
  return registered && idTokenAlgs.includes(registered) ? registered : idTokenAlgs[0]
}

/** Returns the algorithm of an app's ID tokens. */
export const idTokenAlgOf = (app: RegisteredAlgs) => registeredAlg(app, 'id_token_signed_response_alg')

/** Returns the algorithm of an app's signed authorization responses (JARM §3). */
export const authorizationAlgOf = (app: RegisteredAlgs) => registeredAlg(app, 'authorization_signed_response_alg')

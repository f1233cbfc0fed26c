import type { AuthMethod, ClientKind, IdTokenAlg, ProfileName, SigningAlg } from '#lib/oauth/client/profile'

/** The values of an app that its code needs. */
export type SnippetApp = {
  issuer: string
  /** The name of the service, as people know it. */
  serviceName: string
  clientId: string
  kind: ClientKind
  profile: ProfileName
  redirectUris: string[]
  scopes: string[]
  email: 'none' | 'optional' | 'required'
  /** The methods by which the app may authenticate at the token endpoint. */
  authMethods: readonly AuthMethod[]
  idTokenAlg: IdTokenAlg
  /** Whether the ID token has the claims of the person. */
  hasIdTokenClaims: boolean
  /** Whether the app must sign its requests (RFC 9101). */
  mustSign: boolean
  /** Whether the app must push its requests (RFC 9126). */
  mustPush: boolean
  /** Whether the app must send DPoP proofs (RFC 9449). */
  mustProve: boolean
  /** The first public key of the app. */
  key: { kid: string; alg: SigningAlg } | undefined
}

/** A program or a configuration that signs people in with one library. */
export type Snippet = {
  id: string
  library: string
  /** The version that was tested (docs/clients.md); undefined if the library was not tested. */
  version: string | undefined
  /** The command that installs the library. */
  install: string | undefined
  file: string
  code: string
  /** The command that runs the program; the secret is never part of the program. */
  run: string | undefined
  /** The redirect URI that the library uses; an app without it must register it. */
  redirectUri: string
}

/** A library, and its snippet for an app; undefined if the library does not fit the app. */
export type SnippetOf = (app: SnippetApp) => Snippet | undefined

/** Returns the first redirect URI on the web. */
export const webRedirect = ({ redirectUris }: SnippetApp): string | undefined =>
  redirectUris.find((uri) => /^https?:/i.test(uri))

/** Returns the registered redirect URI with this path, or the one that the app must register for the library. */
export function redirectWithPath(app: SnippetApp, path: string): string | undefined {
  const known = app.redirectUris.find((uri) => URL.canParse(uri) && new URL(uri).pathname === path)
  const web = known ?? webRedirect(app)
  return known ?? (web && new URL(path, web).href)
}

/** Returns the method of a library that knows every method. */
export const authMethodOf = ({ authMethods: [first = 'none'] }: SnippetApp): AuthMethod => first

/** Placeholder of the secret in the commands. */
export const secretPlaceholder = '…'

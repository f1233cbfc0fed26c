import type { JWK } from 'jose'
import type { ClientKind, ProfileName } from './profile.ts'
import type { Registration } from './registration.ts'

/** A registered app, which the RFCs call a client. */
export type Client = {
  id: string
  teamId: string
  name: string
  /** The names in some languages, by language. */
  names: Record<string, string>
  teamName: string
  /** Whether the team is known: by a domain that it has proven, or to the operator. */
  team: { isVerified: boolean; domains: string[] }
  kind: ClientKind
  profile: ProfileName
  redirectUris: string[]
  scopes: string[]
  requiredScopes: string[]
  email: 'none' | 'optional' | 'required'
  /** SHA-256 hashes of the live secrets. */
  secrets: { id: string; hash: string; expiresAt: Date | undefined }[]
  keys: { kid: string; jwk: JWK }[]
  /** Undefined if there is none, and for a team that is not verified. */
  logoFile: string | undefined
  /** Empty if there is none, and unless the team has proven its domain or the operator has approved the team. */
  homepage: string
  policyUri: string
  tosUri: string
  registration: Registration
}

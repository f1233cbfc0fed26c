import type { JWK } from 'jose'
import type { ClientKind, ProfileName } from './profile.ts'
import type { Registration } from './registration.ts'

/** A registered app, which the RFCs call a client. */
export type Client = {
  id: string
  teamId: string
  name: string
  teamName: string
  kind: ClientKind
  profile: ProfileName
  redirectUris: string[]
  scopes: string[]
  requiredScopes: string[]
  email: 'none' | 'optional' | 'required'
  /** SHA-256 hashes of the live secrets. */
  secrets: { id: string; hash: string; expiresAt: Date | undefined }[]
  keys: { kid: string; jwk: JWK }[]
  logoFile: string | undefined
  homepage: string
  policyUri: string
  tosUri: string
  registration: Registration
}

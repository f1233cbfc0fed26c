import type { JWK } from 'jose'
import type { ProfileName } from './profile.ts'

/** A registered app as the protocol sees it. */
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
  secrets: { hash: string; expiresAt: Date | undefined }[]
  keys: { kid: string; jwk: JWK }[]
  logoFile: string | undefined
  homepage: string
  policyUri: string
  tosUri: string
}

/** Specification §1, "Client types". */
export type ClientKind = 'confidential' | 'public' | 'assertion'

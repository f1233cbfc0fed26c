/** Members of mailauth's verifier that its types omit; the version is pinned, and tests check the results. */
declare module 'mailauth/lib/dkim/dkim-verifier.js' {
  import type { Writable } from 'node:stream'

  export type BodyHasher = {
    update(chunk: Buffer): void
    digest(encoding: 'base64'): string
    setContentType(type: unknown): void
    getMimeStructureStart(): number | undefined
  }

  export type SignatureResult = {
    signingDomain?: string
    selector?: string
    algo?: string
    canonBodyLengthLimited?: boolean
    status: { result: string; comment?: string }
  }

  export interface DkimVerifier extends Writable {
    bodyHashes: Map<string, BodyHasher>
    results: SignatureResult[]
    addBodyHash(canonicalization: string, algorithm: string, length: number | ''): string
  }
  export const DkimVerifier: new (options: object) => DkimVerifier
}

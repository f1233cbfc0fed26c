import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'

const header = { alg: 'dir', enc: 'A256CBC-HS512' } as const

/** Seals bytes so that only a holder of the 64-byte key can read or change them (JWE, RFC 7516); `typ` is readable. */
export const sealBytes = (key: Uint8Array, content: Uint8Array, typ?: string): Promise<string> =>
  new CompactEncrypt(content).setProtectedHeader({ ...header, ...(typ && { typ }) }).encrypt(key)

/** Opens what one of the keys sealed; undefined for anything else. */
export async function openSealed(keys: Uint8Array[], sealed: string): Promise<Uint8Array | undefined> {
  for (const key of keys) {
    try {
      const options = { keyManagementAlgorithms: [header.alg], contentEncryptionAlgorithms: [header.enc] }
      return (await compactDecrypt(sealed, key, options)).plaintext
    } catch {
      // Not this key's: the next may be the one.
    }
  }
  return undefined
}

/** Returns the `typ` that a sealed text claims to have, without opening it. */
export function claimedType(sealed: string): string | undefined {
  try {
    return decodeProtectedHeader(sealed).typ
  } catch {
    return undefined
  }
}

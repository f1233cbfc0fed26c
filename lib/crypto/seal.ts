import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'

const header = { alg: 'dir', enc: 'A256CBC-HS512' } as const

/** Encrypts and authenticates bytes with a 64-byte key (JWE, RFC 7516); `typ` stays readable. */
export const sealBytes = (key: Uint8Array, content: Uint8Array, typ?: string): Promise<string> =>
  new CompactEncrypt(content).setProtectedHeader({ ...header, ...(typ && { typ }) }).encrypt(key)

/** Opens a text that was sealed with one of the keys; undefined for any other text. */
export async function openSealed(keys: Uint8Array[], sealed: string): Promise<Uint8Array | undefined> {
  for (const key of keys) {
    try {
      const options = { keyManagementAlgorithms: [header.alg], contentEncryptionAlgorithms: [header.enc] }
      return (await compactDecrypt(sealed, key, options)).plaintext
    } catch {
      // Sealed with another key: try the next one.
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

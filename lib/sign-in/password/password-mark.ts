import { sha256 } from '#lib/crypto/hash'

/**
 * Returns a fingerprint of the stored password; tokens sealed with the fingerprint become void when the password
 * changes.
 */
export const passwordMark = (passwordHash: string | undefined): string => sha256(`before ${passwordHash ?? ''}`)

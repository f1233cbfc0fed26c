import { sha256 } from '#lib/crypto/hash'

/** Returns a fingerprint of the password, which voids what was sealed before a change of it. */
export const passwordMark = (passwordHash: string | undefined): string => sha256(`before ${passwordHash ?? ''}`)

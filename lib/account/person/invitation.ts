import { createHash } from 'node:crypto'

/** Makes the code of an invitation, which lets one person sign up or make a team: 80 bits, shown once. */
export const makeInvitation = (random: (bytes: number) => Buffer): string =>
  (
    [...random(16)]
      .map((byte) => '0123456789abcdefghjkmnpqrstvwxyz'[byte & 31])
      .join('')
      .match(/.{4}/g) ?? []
  ).join('-')

/** Returns the stored hash of an invitation; every way to type its code gives the same hash. */
export const invitationHash = (typed: string): string =>
  createHash('sha256')
    .update(typed.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1'))
    .digest('base64url')

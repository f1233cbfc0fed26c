/** The characters of base64url in the order of their bytes. */
const alphabet = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'

/**
 * Returns an id of 22 characters: 48 bits of milliseconds and then 84 random bits. Later ids sort after earlier ones, so
 * that rows of the same time are neighbours in an index, which reads and writes fewer pages. Such an id is no secret: it
 * tells when it was made.
 */
export function makeOrderedId(now: Date, random: (bytes: number) => Uint8Array): string {
  let id = ''
  let rest = now.getTime()
  for (let at = 0; at < 8; at++) {
    id = alphabet[rest % 64] + id
    rest = Math.floor(rest / 64)
  }
  for (const byte of random(14)) id += alphabet[byte % 64]
  return id
}

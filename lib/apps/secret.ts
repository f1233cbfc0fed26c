import { randomBytes } from 'node:crypto'

/** Returns a new client secret: 256 bits, unreserved characters only (spec §5.1; design §5). */
export function makeSecret(random: (bytes: number) => Buffer = randomBytes): string {
  return random(32).toString('base64url')
}

/** Returns a name for a secret; hexadecimal, so that a command never reads it as an option. */
export const makeSecretId = (random: (bytes: number) => Buffer): string => random(6).toString('hex')

/** How many secrets of an app may be live at once: two, so that an app rotates them without downtime. */
export const mostLiveSecrets = 2

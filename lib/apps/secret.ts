import { randomBytes } from 'node:crypto'

/** A new client secret: 256 bits, unreserved characters only (spec §5.1; design §5). */
export function makeSecret(random: (bytes: number) => Buffer = randomBytes): string {
  return random(32).toString('base64url')
}

/** How many secrets of an app may be live at once, so that they rotate without downtime. */
export const liveSecrets = 2

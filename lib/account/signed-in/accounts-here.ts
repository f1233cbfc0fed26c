import { sha256 } from '#lib/crypto/hash'
import { heldSecrets } from '#lib/http/cookies'
import type { Current, SessionSite } from './session.ts'

/** Returns the accounts signed in in this browser, the one in use first. */
export async function accountsHere(
  site: SessionSite,
  cookies: string | null,
): Promise<(Current & { secret: string })[]> {
  const secrets = await heldSecrets(site, cookies)
  const found = await Promise.all(
    secrets.map(async (secret) => ({ secret, found: await site.signIn.findSession(sha256(secret), site.now()) })),
  )
  return found.flatMap(({ secret, found }) => (found ? [{ ...found, secret }] : []))
}

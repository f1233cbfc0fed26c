import type { Person } from '#lib/account/signed-in/session'
import type { Site } from '#lib/http/site'
import { qrPath } from './qr.ts'
import { totpAddress, totpKey, totpSecretBytes } from './totp.ts'
import { openTotpSetUp, sealTotpSetUp } from './totp-seal.ts'

/**
 * Returns the secret that the set-up page shows: the secret that was scanned already if the typed code was wrong, else
 * a new one.
 */
export async function readTotpSetUp(site: Site, { id, username }: Person, kept: string | undefined) {
  const scanned = kept && openTotpSetUp(site, id, kept)
  const { secret, sealed } = scanned ? { secret: scanned, sealed: kept } : await newTotp(site, id)
  const address = totpAddress(secret, { service: site.config.serviceName, username })
  return { sealed, totpKey: totpKey(secret), qr: qrPath(address) }
}

/** Makes a secret that is stored only after its owner has typed a code made with it; until then the page carries it, sealed. */
export async function newTotp(site: Site, personId: string): Promise<{ secret: Buffer; sealed: string }> {
  const secret = site.random(totpSecretBytes)
  return { secret, sealed: sealTotpSetUp(site, personId, secret) }
}

import { qrPath } from '#lib/account/qr'
import type { Person } from '#lib/account/session'
import { totpAddress, totpKey } from '#lib/account/totp'
import type { Context } from '#lib/context'
import { openTotpSetUp } from '#lib/keys/totp-seal'
import { newTotp } from '#lib/self-service/authenticator'

/** What the page shows of a secret that does not count yet: after a wrong code the one that was scanned, else a new one. */
export async function readTotpSetUp(context: Context, { id, username }: Person, kept: string | undefined) {
  const before = kept && (await openTotpSetUp(context, id, kept))
  const { secret, sealed } = before ? { secret: before, sealed: kept } : await newTotp(context, id)
  const address = totpAddress(secret, { service: context.config.serviceName, username })
  return { sealed, totpKey: totpKey(secret), qr: qrPath(address) }
}

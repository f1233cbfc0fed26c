import { qrPath } from '#lib/account/qr'
import { totpAddress, totpKey } from '#lib/account/totp'
import type { Context } from '#lib/context'
import { unsealTotp } from '#lib/journey/totp-secret'
import { newTotp } from '#lib/self-service/authenticator'

/** What the page shows of a secret that does not count yet: after a wrong code the one that was scanned, else a new one. */
export async function readTotpSetUp(context: Context, username: string, kept: string | undefined) {
  const before = kept && (await unsealTotp(context, kept))
  const { secret, sealed } = before ? { secret: before, sealed: kept } : await newTotp(context)
  const address = totpAddress(secret, { service: context.config.serviceName, username })
  return { sealed, totpKey: totpKey(secret), qr: qrPath(address) }
}

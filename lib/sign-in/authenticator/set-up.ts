import type { Person } from '#lib/account/signed-in/session'
import type { Context } from '#lib/server/compose/context'
import { qrPath } from './qr.ts'
import { newTotp } from './switch-authenticator.ts'
import { totpAddress, totpKey } from './totp.ts'
import { openTotpSetUp } from './totp-seal.ts'

/** What the page shows of a secret that does not count yet: after a wrong code the one that was scanned, else a new one. */
export async function readTotpSetUp(context: Context, { id, username }: Person, kept: string | undefined) {
  const before = kept && (await openTotpSetUp(context, id, kept))
  const { secret, sealed } = before ? { secret: before, sealed: kept } : await newTotp(context, id)
  const address = totpAddress(secret, { service: context.config.serviceName, username })
  return { sealed, totpKey: totpKey(secret), qr: qrPath(address) }
}

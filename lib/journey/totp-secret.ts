import type { Context } from '#lib/context'
import { openSealed, sealBytes } from '#lib/keys/seal'

/** A secret as it is stored: sealed, so that a copy of the database is not a copy of everybody's second factor. */
export const sealTotp = (context: Context, secret: Uint8Array): Promise<string> =>
  sealBytes(context.secrets.current('totp-at-rest'), secret)

/** Opens what `sealTotp` has sealed. */
export async function unsealTotp(context: Context, sealed: string): Promise<Buffer | undefined> {
  const bytes = sealed.length <= 512 ? await openSealed(context.secrets.all('totp-at-rest'), sealed) : undefined
  return bytes && Buffer.from(bytes)
}

/** The secret of somebody's authenticator app. */
export async function openTotp(context: Context, personId: string): Promise<{ secret: Buffer } | undefined> {
  const totp = await context.factors.findTotp(personId)
  if (!totp) return undefined
  const secret = await unsealTotp(context, totp.sealedSecret)
  if (!secret) throw new Error('A stored authenticator secret cannot be opened with SECRET_KEY.')
  return { secret }
}

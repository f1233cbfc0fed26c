import type { Context } from '#lib/context'
import { openStoredTotp } from '#lib/keys/totp-seal'

/** The secret of a person's authenticator app. */
export async function openTotp(context: Context, personId: string): Promise<{ secret: Buffer } | undefined> {
  const totp = await context.factors.findTotp(personId)
  if (!totp) return undefined
  const secret = await openStoredTotp(context, personId, totp.sealedSecret)
  if (!secret) throw new Error('A stored authenticator secret cannot be opened with SECRET_KEY.')
  return { secret }
}

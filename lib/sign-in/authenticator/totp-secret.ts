import type { Context } from '#lib/server/compose/context'
import { openStoredTotp } from './totp-seal.ts'

/** The secret of a person's authenticator app. */
export async function openTotp(context: Context, personId: string): Promise<{ secret: Buffer } | undefined> {
  const totp = await context.factors.findTotp(personId)
  if (!totp) return undefined
  const secret = await openStoredTotp(context, personId, totp.sealedSecret)
  if (!secret) throw new Error('A stored authenticator secret cannot be opened with SECRET_KEY.')
  return { secret }
}

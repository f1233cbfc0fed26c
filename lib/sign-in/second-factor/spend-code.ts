import { originOf } from '#lib/account/activity/activity'
import { digitsOf, matchTotp } from '#lib/sign-in/authenticator/totp'
import { findTotpSecret, sealStoredTotp } from '#lib/sign-in/authenticator/totp-seal'
import type { SignInContext } from '#lib/sign-in/context'
import { foldRecoveryCode, spendRecoveryCode } from '#lib/sign-in/recovery-codes/recovery-code'

/**
 * Spends a typed code of the authenticator app, or a recovery code, and returns which of them it was; undefined for a wrong
 * code. Of concurrent requests with one code, one succeeds.
 */
export async function spendCode(
  context: SignInContext,
  request: Request,
  personId: string,
  typed: string,
): Promise<'totp' | 'code' | undefined> {
  const now = context.now()
  if (digitsOf(typed).length === 6) {
    const secret = await findTotpSecret(context, personId)
    const step = secret && matchTotp(secret, typed, now)
    if (!secret || step === undefined) return undefined
    const isSpent = await context.factors.spendTotpStep(personId, step, await sealStoredTotp(context, personId, secret))
    return isSpent ? 'totp' : undefined
  }
  if (foldRecoveryCode(typed) === undefined) return undefined
  if (!(await spendRecoveryCode(context.factors, personId, typed, now))) return undefined
  await context.activity.record(personId, { at: now, kind: 'recovery_code_used', detail: {}, ...originOf(request) })
  return 'code'
}

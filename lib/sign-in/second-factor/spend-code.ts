import { originOf } from '#lib/account/activity/activity'
import { digitsOf, matchTotp } from '#lib/sign-in/authenticator/totp'
import { findTotpSecret, sealStoredTotp } from '#lib/sign-in/authenticator/totp-seal'
import type { SignInContext } from '#lib/sign-in/context'
import { foldRecoveryCode, matchRecoveryCode } from '#lib/sign-in/recovery-codes/recovery-code'

export type CodeKind = 'totp' | 'code'

/**
 * Spends a typed code of the authenticator app, or a recovery code, and returns which of them it was; undefined for a wrong
 * code. Of concurrent requests with one code, one succeeds. A code of a kind that `accepts` does not accept is not spent.
 */
export async function spendCode(
  context: SignInContext,
  request: Request,
  personId: string,
  typed: string,
  accepts: (kind: CodeKind) => Promise<boolean> = async () => true,
): Promise<CodeKind | 'not_accepted' | undefined> {
  const now = context.now()
  if (digitsOf(typed).length === 6) {
    const secret = await findTotpSecret(context, personId)
    const step = secret && matchTotp(secret, typed, now)
    if (!secret || step === undefined) return undefined
    if (!(await accepts('totp'))) return 'not_accepted'
    const isSpent = await context.factors.spendTotpStep(personId, step, sealStoredTotp(context, personId, secret))
    return isSpent ? 'totp' : undefined
  }
  if (foldRecoveryCode(typed) === undefined) return undefined
  const code = await matchRecoveryCode(context.factors, personId, typed)
  if (!code) return undefined
  if (!(await accepts('code'))) return 'not_accepted'
  if (!(await context.factors.spendRecoveryCode(personId, code, now))) return undefined
  await context.activity.record(personId, { at: now, kind: 'recovery_code_used', detail: {}, ...originOf(request) })
  return 'code'
}

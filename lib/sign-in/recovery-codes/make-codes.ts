import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import { addressFrom } from '#lib/account/activity/activity'
import type { AccountContext } from '#lib/account/context'
import { notifyFactorChange } from '#lib/account/notify-owner'
import type { FactorContext, HashLimits } from '#lib/sign-in/context'
import { hashRecoveryCodes, makeRecoveryCodes } from './recovery-code.ts'
import { codesCookie, forgetCodes } from './shown-codes.ts'

/** The parts of every handler of factors, and the limits on new codes. */
export type CodesContext = FactorContext & { hashLimits: Pick<HashLimits, 'codes'> }

const page = '/account/security/codes'

/** POST /account/security/codes/make: makes ten codes, which replace the previous ones. */
export const answerCodesMake = (context: CodesContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'codes', page, fresh: true }, async (submission): Promise<Outcome> => {
    const made = await makeCodes(submission)
    return made.kind === 'wait'
      ? { problems: [{ code: 'wait', wait: made.wait }] }
      : { done: 'codes_made', cookies: [made.cookie] }
  })

/** POST /account/security/codes/kept: the person has written the codes down; deletes the cookie that shows them. */
export const answerCodesKept = (context: AccountContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'security', page: '/account/security' }, async () => ({
    done: 'codes_kept',
    cookies: [forgetCodes(context)],
  }))

/** Makes ten codes, which replace the previous ones; the cookie carries them to their page. */
export async function makeCodes(
  submission: Submission<CodesContext>,
): Promise<{ kind: 'made'; cookie: string } | { kind: 'wait'; wait: number }> {
  const { context, person, request } = submission
  const wait = await context.hashLimits.codes.take(person.id, addressFrom(request))
  if (wait > 0) return { kind: 'wait', wait }
  const codes = makeRecoveryCodes(context.random)
  await context.factors.replaceRecoveryCodes(person.id, await hashRecoveryCodes(codes), context.now())
  await notifyFactorChange(submission, 'recovery_codes_made')
  return { kind: 'made', cookie: codesCookie(context, person.id, codes) }
}

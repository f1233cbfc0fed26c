import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import { addressFrom } from '#lib/account/activity/activity'
import { notifyFactorChange } from '#lib/account/notify-owner'
import type { Context } from '#lib/server/compose/context'
import { hashRecoveryCodes, makeRecoveryCodes } from './recovery-code.ts'
import { codesCookie, forgetCodes } from './shown-codes.ts'

const page = '/account/security/codes'

/** POST /account/security/codes/make: ten new codes; the ones before no longer work. */
export const answerCodesMake = (context: Context, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'codes', page, fresh: true }, async (act): Promise<Outcome> => {
    const made = await makeCodes(act)
    return made.kind === 'wait'
      ? { problems: [{ code: 'wait', wait: made.wait }] }
      : { done: 'codes_made', cookies: [made.cookie] }
  })

/** POST /account/security/codes/kept: they are written down, and this browser forgets them. */
export const answerCodesKept = (context: Context, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'security', page: '/account/security' }, async () => ({
    done: 'codes_kept',
    cookies: [forgetCodes(context)],
  }))

/** Makes ten codes in place of those before, not too often; the cookie line carries them to their page. */
export async function makeCodes(
  act: Submission<Context>,
): Promise<{ kind: 'made'; cookie: string } | { kind: 'wait'; wait: number }> {
  const { context, person, request } = act
  const wait = await context.hashLimits.codes.take(person.id, addressFrom(request))
  if (wait > 0) return { kind: 'wait', wait }
  const codes = makeRecoveryCodes(context.random)
  await context.factors.replaceRecoveryCodes(person.id, await hashRecoveryCodes(codes), context.now())
  await notifyFactorChange(act, 'recovery_codes_made')
  return { kind: 'made', cookie: await codesCookie(context, person.id, codes) }
}

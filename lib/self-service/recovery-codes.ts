import { hashRecoveryCodes, makeRecoveryCodes } from '#lib/account/recovery-code'
import type { Context } from '#lib/context'
import { codesCookie, forgetCodes } from '#lib/journey/shown-codes'
import { type Act, answerAction } from './action.ts'
import { tellFactor } from './tell-owner.ts'

const page = '/account/security/codes'

/** POST /account/security/codes/make: ten new codes; the ones before no longer work. */
export const answerCodesMake = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form: 'codes', page, fresh: true }, async (act) => ({
    done: 'codes_made',
    cookies: [await makeCodes(act)],
  }))

/** POST /account/security/codes/kept: they are written down, and this browser forgets them. */
export const answerCodesKept = (context: Context, request: Request): Promise<Response> =>
  answerAction(context, request, { form: 'security', page: '/account/security' }, async () => ({
    done: 'codes_kept',
    cookies: [forgetCodes(context)],
  }))

/** Makes ten codes in place of those before; the cookie line that carries them to their page. */
export async function makeCodes(act: Act): Promise<string> {
  const { context, person } = act
  const codes = makeRecoveryCodes(context.random)
  await context.factors.replaceRecoveryCodes(person.id, await hashRecoveryCodes(codes), context.now())
  await tellFactor(act, 'recovery_codes_made')
  return codesCookie(context, { personId: person.id, codes })
}

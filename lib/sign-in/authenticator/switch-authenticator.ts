import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import { notifyFactorChange } from '#lib/account/notify-owner'
import { isOverloaded } from '#lib/queue/fair-queue'
import type { Context } from '#lib/server/compose/context'
import { makeCodes } from '#lib/sign-in/recovery-codes/make-codes'
import { digitsOf, matchTotp, totpSecretBytes } from './totp.ts'
import { openTotpSetUp, sealStoredTotp, sealTotpSetUp } from './totp-seal.ts'

const page = '/account/security/authenticator'
const about = { form: 'authenticator', page, fresh: true, keeps: { secret: 'sealed' } }

/** A secret that counts only once its owner has typed a code made with it; until then the page carries it, sealed. */
export async function newTotp(context: Context, personId: string): Promise<{ secret: Buffer; sealed: string }> {
  const secret = context.random(totpSecretBytes)
  return { secret, sealed: await sealTotpSetUp(context, personId, secret) }
}

/** POST /account/security/authenticator/on: the first code shows that app and clock are right. */
export const answerAuthenticatorOn = (context: Context, request: Request): Promise<Response> =>
  answerAccountForm(context, request, about, async (act): Promise<Outcome> => {
    const { form, person } = act
    const sealed = form.get('secret')
    const secret = await openTotpSetUp(context, person.id, sealed)
    if (!secret) return { problems: [{ code: 'stale' }] }
    if (digitsOf(form.get('code')) === '')
      return { problems: [{ field: 'code', code: 'code_missing' }], kept: { sealed } }
    const now = context.now()
    const step = matchTotp(secret, form.get('code'), now)
    if (step === undefined) return { problems: [{ field: 'code', code: 'code_wrong' }], kept: { sealed } }
    const added = await context.factors.addTotp(person.id, {
      sealedSecret: await sealStoredTotp(context, person.id, secret),
      lastStep: step,
      now,
    })
    if (!added) return { problems: [{ code: 'on_already' }] }
    await notifyFactorChange(act, 'totp_on')
    return withCodes(act)
  })

/** Makes recovery codes with the authenticator app, unless some are left: a lost device must not lock the person out. */
async function withCodes(act: Submission<Context>): Promise<Outcome> {
  const { codes } = await act.context.factors.ways(act.person.id)
  const made = codes && codes.left > 0 ? undefined : await makeCodes(act).catch(orLater)
  if (made?.kind !== 'made') return { done: 'totp_on', to: '/account/security' }
  return { done: 'totp_on', to: '/account/security/codes', cookies: [made.cookie] }
}

/** The app is on already: with the queue for hashing full, the codes can be made on the page it leads to. */
function orLater(fault: unknown): undefined {
  if (!isOverloaded(fault)) throw fault
}

/** POST /account/security/authenticator/off: signing in takes the password alone again. */
export const answerAuthenticatorOff = (context: Context, request: Request): Promise<Response> =>
  answerAccountForm(context, request, about, async (act) => {
    if (await context.factors.removeTotp(act.person.id)) await notifyFactorChange(act, 'totp_off')
    return { done: 'totp_off', to: '/account/security' }
  })

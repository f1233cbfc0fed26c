import { answerAccountForm, type Outcome, type Submission } from '#lib/account/account-form'
import { notifyFactorChange } from '#lib/account/notify-owner'
import { isOverloaded } from '#lib/queue/fair-queue'
import type { FactorContext } from '#lib/sign-in/context'
import { type CodesContext, makeCodes } from '#lib/sign-in/recovery-codes/make-codes'
import { digitsOf, matchTotp } from './totp.ts'
import { openTotpSetUp, sealStoredTotp } from './totp-seal.ts'

const page = '/account/security/authenticator'
const about = { form: 'authenticator', page, fresh: true, keeps: { secret: 'sealed' } }

/** POST /account/security/authenticator/on: stores the secret once a code shows that the app and its clock are right. */
export const answerAuthenticatorOn = (context: CodesContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, about, async (submission): Promise<Outcome> => {
    const { form, person } = submission
    const sealed = form.get('secret')
    const secret = openTotpSetUp(context, person.id, sealed)
    if (!secret) return { problems: [{ code: 'stale' }] }
    if (digitsOf(form.get('code')) === '')
      return { problems: [{ field: 'code', code: 'code_missing' }], kept: { sealed } }
    const now = context.now()
    const step = matchTotp(secret, form.get('code'), now)
    if (step === undefined) return { problems: [{ field: 'code', code: 'code_wrong' }], kept: { sealed } }
    const added = await context.factors.addTotp(person.id, {
      sealedSecret: sealStoredTotp(context, person.id, secret),
      lastStep: step,
      now,
    })
    if (!added) return { problems: [{ code: 'on_already' }] }
    await notifyFactorChange(submission, 'totp_on')
    return withCodes(submission)
  })

/** Makes recovery codes for the loss of the device, unless some are left. */
async function withCodes(submission: Submission<CodesContext>): Promise<Outcome> {
  const { codes } = await submission.context.factors.ways(submission.person.id)
  const made = codes && codes.left > 0 ? undefined : await makeCodes(submission).catch(ignoreOverload)
  if (made?.kind !== 'made') return { done: 'totp_on', to: '/account/security' }
  return { done: 'totp_on', to: '/account/security/codes', cookies: [made.cookie] }
}

/** Ignores a full queue for hashing: the app is switched on already, and the person can make codes later. */
function ignoreOverload(fault: unknown): undefined {
  if (!isOverloaded(fault)) throw fault
}

/** POST /account/security/authenticator/off: removes the authenticator app. */
export const answerAuthenticatorOff = (context: FactorContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, about, async (submission) => {
    if (await context.factors.removeTotp(submission.person.id, context.now()))
      await notifyFactorChange(submission, 'totp_off')
    return { done: 'totp_off', to: '/account/security' }
  })

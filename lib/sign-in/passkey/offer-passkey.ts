import { answerAccountForm } from '#lib/account/account-form'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { cookieName, readCookie, setCookie } from '#lib/http/cookies'
import type { PageForm } from '#lib/http/form'
import { goTo, localPath, pathWith } from '#lib/http/redirect'
import type { Site } from '#lib/http/site'
import type { FactorContext } from '#lib/sign-in/context'
import type { FactorStore } from '#lib/sign-in/second-factor/store'
import { addPasskey } from './manage-passkeys.ts'
import type { ChallengeContext } from './passkey-challenge.ts'

/** A person skips the offer in this browser for 90 days. */
const skipped: TokenKind = { purpose: 'seal-offer', seconds: 90 * 86_400, longest: 1000 }

/** Returns the page that offers a passkey after a sign-in and then leads to `path`. */
export const offerPath = (path: string): string => pathWith('/passkey/offer', { to: path })

/** Returns whether to offer a passkey to the person: there is none, and the offer was not skipped here. */
export async function isPasskeyOffered(
  context: Site & { factors: Pick<FactorStore, 'ways'> },
  cookies: string | null,
  personId: string,
): Promise<boolean> {
  const sealed = readCookie(cookies, cookieName(context, 'offer')) ?? ''
  if ((await openToken(context, skipped, { person: personId }, sealed)) !== undefined) return false
  return (await context.factors.ways(personId)).passkeys.length === 0
}

const offerOf = (form: PageForm) => offerPath(localPath(form.get('to')))

/** POST /passkey/offer/add: stores the passkey that the page of the offer made, and leads on. */
export const answerOfferedPasskey = (context: FactorContext & ChallengeContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'passkey-offer', page: offerOf, fresh: true }, async (submission) => {
    const problem = await addPasskey(submission)
    if (problem) return { problems: [{ code: problem }] }
    return { answer: goTo(localPath(submission.form.get('to'))) }
  })

/** POST /passkey/offer/later: skips the offer in this browser, and leads on. */
export const answerOfferLater = (context: FactorContext, request: Request): Promise<Response> =>
  answerAccountForm(context, request, { form: 'passkey-offer', page: offerOf }, async ({ form, person }) => {
    const sealed = await sealToken(context, skipped, { person: person.id }, true)
    return { answer: goTo(localPath(form.get('to')), [setCookie(context, 'offer', sealed, skipped.seconds)]) }
  })

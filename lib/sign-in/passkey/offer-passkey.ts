import { answerAccountForm } from '#lib/account/account-form'
import { openToken, sealToken, type TokenKind } from '#lib/crypto/sealed-token'
import { browserOf, cookieName, readCookie, sentBrowser, setCookie } from '#lib/http/cookies'
import type { PageForm } from '#lib/http/form'
import { goTo, localPath, pathWith } from '#lib/http/redirect'
import type { Site } from '#lib/http/site'
import type { FactorContext } from '#lib/sign-in/context'
import type { FactorStore } from '#lib/sign-in/second-factor/store'
import { addPasskey } from './manage-passkeys.ts'
import type { ChallengeContext } from './passkey-challenge.ts'

/** A person skips the offer in this browser for 90 days. */
const skipSeconds = 90 * 86_400
/** As many people as the browser remembers. */
const mostPeople = 10
/** Contains the people who skipped the offer in this browser, each with the end of the 90 days, the latest first. */
const kind: TokenKind = { purpose: 'seal-offer', seconds: skipSeconds, longest: 3000 }

type Skip = { personId: string; until: number }

/** Returns the page that offers a passkey after a sign-in and then leads to `path`. */
export const offerPath = (path: string): string => pathWith('/passkey/offer', { to: path })

/** Returns whether to offer a passkey to the person: there is none, and the offer was not skipped here. */
export async function isPasskeyOffered(
  context: Site & { factors: Pick<FactorStore, 'ways'> },
  cookies: string | null,
  personId: string,
): Promise<boolean> {
  const skips = await skipsIn(context, cookies)
  if (skips.some((one) => one.personId === personId)) return false
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
    return { answer: goTo(localPath(form.get('to')), await skip(context, request, person.id)) }
  })

async function skip(context: Site, request: Request, personId: string): Promise<string[]> {
  const browser = browserOf(context, request)
  const others = (await skipsIn(context, request.headers.get('cookie'))).filter((one) => one.personId !== personId)
  const own = { personId, until: context.now().getTime() + skipSeconds * 1000 }
  const sealed = sealToken(context, kind, { browser: browser.hash }, [own, ...others].slice(0, mostPeople))
  const cookie = setCookie(context, 'offer', sealed, skipSeconds)
  return browser.setCookie ? [browser.setCookie, cookie] : [cookie]
}

/** Returns the people whose 90 days are not over. */
async function skipsIn(context: Site, cookies: string | null): Promise<Skip[]> {
  const sealed = readCookie(cookies, cookieName(context, 'offer')) ?? ''
  const skips = openToken<Skip[]>(context, kind, { browser: sentBrowser(context, cookies) }, sealed)
  return (skips ?? []).filter(({ until }) => until > context.now().getTime())
}

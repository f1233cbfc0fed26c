import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CodePurpose,
  checkCode,
  codeMinutes,
  type PreparedCode,
  placeCode,
  prepareCode,
  readCode,
} from '#lib/account/email/email-code'
import { waitProblem } from '#lib/account/email/email-code-flow'
import { beginRecoveryGuess, beginRecoveryLetter } from '#lib/account/email/letter-throttle'
import type { EmailStore } from '#lib/account/email/store'
import { foldUsername } from '#lib/account/person/login-name'
import type { OpenAttempt } from '#lib/account/throttle/attempt'
import { dummyVerify } from '#lib/crypto/password-hash'
import { type Destination, destinationFields } from '#lib/flow/destination'
import { browserOf } from '#lib/http/cookies'
import { type Flash, goAndSay } from '#lib/http/flash'
import { pageLanguage } from '#lib/http/language'
import { goTo, pathWith } from '#lib/http/redirect'
import { answerRecoveryForm } from './recovery-form.ts'
import { askNewPassword, openStep, type RecoveryContext, sealStep } from './recovery-step.ts'

/** The parts of every recovery, and the store of addresses. */
type LetterContext = RecoveryContext & { emails: EmailStore }

/**
 * The shortest duration of a code check in milliseconds: hides that a known name costs one database write more than
 * an unknown one.
 */
const evenly = 120
/** Milliseconds to wait before the account is looked up, so that the response has been sent by then. */
const afterwards = 50

/** POST /recover/submit: a username or an address; the answer is the same whether or not an account has it. */
export const answerRecover = (context: LetterContext, request: Request): Promise<Response> =>
  answerRecoveryForm(context, request, async ({ form, destination, askAgain }) => {
    const login = form.get('login').trim().slice(0, 254)
    if (login === '') return askAgain('/recover', { field: 'login', code: 'login_missing' })
    const letter = await beginRecoveryLetter(context, request, login)
    if (letter.wait() > 0) return askAgain('/recover', waitProblem(letter.wait()), { login })
    return sendAndGo(context, request, destination, { login, letter })
  })

/** POST /recover/resend: sends a new code, with the same delays for every name. */
export const answerRecoverResend = (context: LetterContext, request: Request): Promise<Response> =>
  answerRecoveryForm(context, request, async ({ form, destination, askAgain }) => {
    const step = await openStep(context, request.headers.get('cookie'), form.get('step'), 'letter')
    if (!step) return askAgain('/recover', { code: 'expired' })
    const { login } = step
    const letter = await beginRecoveryLetter(context, request, login)
    if (letter.wait() > 0) return askAgain('/recover/code', waitProblem(letter.wait()), {}, form.get('step'))
    const said = { form: 'recover-code', problems: [], kept: {}, done: 'resent' }
    return sendAndGo(context, request, destination, { login, letter }, said)
  })

/** POST /recover/verify: the code from the letter; leads to the new password. */
export const answerRecoverVerify = (context: LetterContext, request: Request): Promise<Response> =>
  answerRecoveryForm(context, request, async ({ form, destination, askAgain }) => {
    const step = await openStep(context, request.headers.get('cookie'), form.get('step'), 'letter')
    if (!step) return askAgain('/recover', { code: 'expired' })
    const refuse = (code: string, more: object = { field: 'code' }) =>
      askAgain('/recover/code', { code, ...more }, {}, form.get('step'))
    const typed = readCode(form.get('code'))
    if (typed === undefined) return refuse('code_missing')
    const guess = await beginRecoveryGuess(context, request, step.login)
    if (guess.wait() > 0) return refuse('slow_down', { wait: guess.wait() })
    const purpose = purposeIn(browserOf(context, request))
    const look = () => personWithCode(context, purpose, step.login, typed)
    const [personId] = await Promise.all([guess.look(look), sleep(evenly)])
    if (personId === undefined) {
      const wait = await guess.failed()
      return wait > 0 ? refuse('slow_down', { wait }) : refuse('code_wrong')
    }
    await guess.succeeded()
    return askNewPassword(context, request, destination, { personId, by: 'letter' })
  })

/**
 * Answers first, then looks up the account and sends the letter, so that neither the response nor its time reveals
 * whether the account exists. Every check that can refuse a letter runs before the answer, for every name alike.
 */
async function sendAndGo(
  context: LetterContext,
  request: Request,
  destination: Destination,
  { login, letter }: { login: string; letter: OpenAttempt },
  flash?: Flash,
) {
  const prepared = await letter.look(() => prepareCode(context.random))
  const about = { purpose: purposeIn(browserOf(context, request)), language: pageLanguage(context, request), prepared }
  context.letters.later(async () => {
    await sleep(afterwards)
    await sendRecoveryCode(context, login, about)
  })
  const { sealed, setCookie } = await sealStep(context, request, { stage: 'letter', login })
  const page = pathWith('/recover/code', { step: sealed, ...destinationFields(destination) })
  return flash ? goAndSay(context, request, page, flash) : goTo(page, [setCookie])
}

/** Returns the purpose of the codes of this browser, so that other browsers cannot use up its codes and attempts. */
const purposeIn = ({ hash }: { hash: string }): CodePurpose => `recover:${hash}`

type Asked = { purpose: CodePurpose; language: string; prepared: PreparedCode }

async function sendRecoveryCode(
  { emails, letters, now }: LetterContext,
  login: string,
  { purpose, language, prepared }: Asked,
): Promise<void> {
  const account = await emails.findAccount(foldUsername(login))
  if (!account?.email) return
  const { personId, username, email: address } = account
  const seen = await emails.findCode(personId, purpose)
  const issued = await placeCode(emails, { personId, purpose, now: now(), address, seen }, prepared)
  // A concurrent request of this browser has sent its letter.
  if (issued.kind === 'wait') return
  await letters.codeToRecover({ to: address, username, locale: language, code: issued.code, minutes: codeMinutes })
}

/**
 * Returns the person if the code is right. Takes the same time for an unknown username, and for an account to which no
 * code was sent.
 */
async function personWithCode(
  { emails, now }: LetterContext,
  purpose: CodePurpose,
  login: string,
  typed: string,
): Promise<string | undefined> {
  const account = await emails.findAccount(foldUsername(login))
  if (!account?.email) return void (await dummyVerify(typed))
  const { personId, email } = account
  const checked = await checkCode(emails, { personId, purpose, now: now(), typed })
  // A letter to an address that the account no longer has proves nothing.
  return checked.kind === 'right' && checked.address === email ? personId : undefined
}

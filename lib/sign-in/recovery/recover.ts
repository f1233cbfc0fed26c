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
import { foldUsername } from '#lib/account/person/username'
import type { OpenAttempt } from '#lib/account/throttle/attempt'
import { dummyVerify } from '#lib/crypto/password-hash'
import { carry, type Destination, goBack, readDestination } from '#lib/flow/destination'
import { browserOf } from '#lib/http/browser-id'
import { isFromOurPages } from '#lib/http/csrf'
import { type Flash, goAndSay } from '#lib/http/flash'
import { type PageForm, readPageForm } from '#lib/http/form'
import { pageLanguage } from '#lib/http/language'
import { showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Context } from '#lib/server/compose/context'
import { askNewPassword, openStep, sealStep } from './recovery-step.ts'

/** Milliseconds that cover what looking at a code takes: a right name writes a row more than a wrong one. */
const evenly = 120
/** Milliseconds after which an answer has gone out. */
const afterwards = 50

/** POST /recover/submit: a username or an address; the answer is the same whoever it may belong to. */
export const answerRecover = (context: Context, request: Request): Promise<Response> =>
  answerRecovery(context, request, async ({ form, destination, again }) => {
    const login = form.get('login').trim().slice(0, 254)
    if (login === '') return again('/recover', { field: 'login', code: 'login_missing' })
    const letter = await beginRecoveryLetter(context, request, login)
    if (letter.wait() > 0) return again('/recover', waitProblem(letter.wait()), { login })
    return sendAndGo(context, request, destination, { login, letter })
  })

/** POST /recover/resend: a new code, with the same delays for every name. */
export const answerRecoverResend = (context: Context, request: Request): Promise<Response> =>
  answerRecovery(context, request, async ({ form, destination, again }) => {
    const step = await openStep(context, request.headers.get('cookie'), form.get('step'), 'letter')
    if (!step) return again('/recover', { code: 'expired' })
    const { login } = step
    const letter = await beginRecoveryLetter(context, request, login)
    if (letter.wait() > 0) return again('/recover/code', waitProblem(letter.wait()), {}, form.get('step'))
    const said = { form: 'recover-code', problems: [], kept: {}, done: 'resent' }
    return sendAndGo(context, request, destination, { login, letter }, said)
  })

/** POST /recover/verify: the code from the letter; then a new password may be chosen. */
export const answerRecoverVerify = (context: Context, request: Request): Promise<Response> =>
  answerRecovery(context, request, async ({ form, destination, again }) => {
    const step = await openStep(context, request.headers.get('cookie'), form.get('step'), 'letter')
    if (!step) return again('/recover', { code: 'expired' })
    const refuse = (code: string, more: object = { field: 'code' }) =>
      again('/recover/code', { code, ...more }, {}, form.get('step'))
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

type Recovery = {
  form: PageForm
  destination: Destination
  again(path: string, problem: Flash['problems'][number], kept?: Flash['kept'], step?: string): Promise<Response>
}

/** What the forms of recovery have in common: ours, for an app or a page of the account; cancelling leads back. */
export async function answerRecovery(
  context: Context,
  request: Request,
  run: (recovery: Recovery) => Promise<Response>,
): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(request, context.config.accountUrl))
    return showProblem(context, { kind: 'not_from_here' })
  const to = form.get('to') || (form.get('request') === '' ? '/account' : '')
  const destination = await readDestination(context, request, { request: form.get('request'), to })
  if (destination instanceof Response) return destination
  if (form.get('action') === 'cancel') return goBack(context, destination)
  const again: Recovery['again'] = async (path, problem, kept = {}, step) => {
    const name = path.slice(1).replace('/', '-')
    const page = pathWith(path, { step, ...carry(destination) })
    return goAndSay(context, request, page, { form: name, problems: [problem], kept })
  }
  return run({ form, destination, again })
}

/**
 * The account is looked for, and the letter sent, once the answer has gone out: neither its text nor its time tells
 * anything. Everything that can refuse a letter comes before the answer, for every name alike, so that the page is true.
 */
async function sendAndGo(
  context: Context,
  request: Request,
  destination: Destination,
  { login, letter }: { login: string; letter: OpenAttempt },
  flash?: Flash,
) {
  const prepared = await letter.look(() => prepareCode(context.random))
  const about = { purpose: purposeIn(browserOf(context, request)), language: pageLanguage(request), prepared }
  context.letters.later(async () => {
    await sleep(afterwards)
    await sendRecoveryCode(context, login, about)
  })
  const { sealed, setCookie } = await sealStep(context, request, { stage: 'letter', login })
  const page = pathWith('/recover/code', { step: sealed, ...carry(destination) })
  return flash ? goAndSay(context, request, page, flash) : goTo(page, [setCookie])
}

/** Each browser has a code, tries and delays of its own: what strangers ask for or guess spoils nobody's way back. */
const purposeIn = ({ hash }: { hash: string }): CodePurpose => `recover:${hash}`

type Asked = { purpose: CodePurpose; language: string; prepared: PreparedCode }

async function sendRecoveryCode(
  context: Context,
  login: string,
  { purpose, language, prepared }: Asked,
): Promise<void> {
  const { emails, letters, now } = context
  const account = await emails.findAccount(foldUsername(login))
  if (!account?.email) return
  const { personId, username, email: address } = account
  const seen = await emails.findCode(personId, purpose)
  const issued = await placeCode(emails, { personId, purpose, now: now(), address, seen }, prepared)
  // Another request of this browser was faster: its letter is on its way.
  if (issued.kind === 'wait') return
  await letters.codeToRecover({ to: address, username, locale: language, code: issued.code, minutes: codeMinutes })
}

/** Whose code this is; takes as long for a name that nobody has, or to whom no letter was sent. */
async function personWithCode(
  context: Context,
  purpose: CodePurpose,
  login: string,
  typed: string,
): Promise<string | undefined> {
  const account = await context.emails.findAccount(foldUsername(login))
  if (!account?.email) return void (await dummyVerify(typed))
  const { personId, email } = account
  const checked = await checkCode(context.emails, { personId, purpose, now: context.now(), typed })
  // A letter to an address that is no longer theirs proves nothing.
  return checked.kind === 'right' && checked.address === email ? personId : undefined
}

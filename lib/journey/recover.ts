import { setTimeout as sleep } from 'node:timers/promises'
import { addressFrom } from '#lib/account/activity'
import { type CodePurpose, checkCode, codeMinutes, issueCode, readCode, secondsToWait } from '#lib/account/email-code'
import { dummyVerify } from '#lib/account/password'
import { foldUsername } from '#lib/account/sign-in'
import type { Context } from '#lib/context'
import { sha256 } from '#lib/oauth/pkce'
import { goTo, pathWith } from './answer.ts'
import { browserOf } from './cookies.ts'
import { carry, type Destination, goBack, readDestination } from './destination.ts'
import { type Flash, goAndSay } from './flash.ts'
import { type PageForm, readPageForm } from './form.ts'
import { pageLanguage } from './letter-facts.ts'
import { showProblem } from './problem-page.ts'
import { waitProblem } from './prove-address.ts'
import { askNewPassword, openTrip, sealTrip } from './recovery-trip.ts'
import { isFromOurPages } from './same-origin.ts'

/** Milliseconds that cover what looking at a code takes: a right name writes a row more than a wrong one. */
const evenly = 120
/** Milliseconds after which an answer has gone out. */
const afterwards = 50

/** POST /recover/submit: a username or an address; the answer is the same whoever it may belong to. */
export const answerRecover = (context: Context, request: Request): Promise<Response> =>
  answerRecovery(context, request, async ({ form, destination, again }) => {
    const login = form.get('login').trim().slice(0, 254)
    if (login === '') return again('/recover', { field: 'login', code: 'login_missing' })
    const wait = await context.emailLimits.lettersFrom.fail(addressFrom(request))
    if (wait > 0) return again('/recover', waitProblem(wait), { login })
    return sendAndGo(context, request, destination, { login, sent: 1 })
  })

/** POST /recover/resend: a new code, with the same delays for every name. */
export const answerRecoverResend = (context: Context, request: Request): Promise<Response> =>
  answerRecovery(context, request, async ({ form, destination, again }) => {
    const trip = await openTrip(context, request.headers.get('cookie'), form.get('trip'), 'letter')
    if (!trip) return again('/recover', { code: 'expired' })
    const seconds = secondsToWait({ sent: trip.sent, sentAt: new Date(trip.sentAt) }, context.now())
    const wait = seconds || (await context.emailLimits.lettersFrom.fail(addressFrom(request)))
    if (wait > 0) return again('/recover/code', waitProblem(wait), {}, form.get('trip'))
    const said = { form: 'recover-code', problems: [], kept: {}, done: 'resent' }
    return sendAndGo(context, request, destination, { login: trip.login, sent: trip.sent + 1 }, said)
  })

/** POST /recover/verify: the code from the letter; then a new password may be chosen. */
export const answerRecoverVerify = (context: Context, request: Request): Promise<Response> =>
  answerRecovery(context, request, async ({ form, destination, again }) => {
    const trip = await openTrip(context, request.headers.get('cookie'), form.get('trip'), 'letter')
    if (!trip) return again('/recover', { code: 'expired' })
    const address = addressFrom(request)
    const refuse = (code: string, more: object = { field: 'code' }) =>
      again('/recover/code', { code, ...more }, {}, form.get('trip'))
    const blocked = context.emailLimits.guessesFrom.blockedFor(address)
    if (blocked > 0) return refuse('slow_down', { wait: blocked })
    const typed = readCode(form.get('code'))
    if (typed === undefined) return refuse('code_missing')
    const purpose = purposeIn(browserOf(context, request.headers.get('cookie')))
    const [personId] = await Promise.all([personWithCode(context, purpose, trip.login, typed), sleep(evenly)])
    if (personId) return askNewPassword(context, request, destination, { personId, by: 'letter' })
    const wait = await context.emailLimits.guessesFrom.fail(address)
    return wait > 0 ? refuse('slow_down', { wait }) : refuse('code_wrong')
  })

type Recovery = {
  form: PageForm
  destination: Destination
  again(path: string, problem: Flash['problems'][number], kept?: Flash['kept'], trip?: string): Promise<Response>
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
  const again: Recovery['again'] = async (path, problem, kept = {}, trip) => {
    const name = path.slice(1).replace('/', '-')
    const page = pathWith(path, { trip, ...carry(destination) })
    return goAndSay(context, page, { form: name, problems: [problem], kept })
  }
  return run({ form, destination, again })
}

/** The letter is looked for, written and sent once the answer is on its way: neither its text nor its time tells anything. */
async function sendAndGo(
  context: Context,
  request: Request,
  destination: Destination,
  { login, sent }: { login: string; sent: number },
  flash?: Flash,
) {
  const browser = browserOf(context, request.headers.get('cookie'))
  const about = { purpose: purposeIn(browser), address: addressFrom(request), language: pageLanguage(request) }
  context.letters.later(async () => {
    await sleep(afterwards)
    await sendRecoveryCode(context, login, about)
  })
  const trip = { stage: 'letter', login, sent, sentAt: context.now().getTime() } as const
  const { sealed, setCookie } = await sealTrip(context, browser, trip)
  const page = pathWith('/recover/code', { trip: sealed, ...carry(destination) })
  return flash ? goAndSay(context, page, flash, [setCookie]) : goTo(page, [setCookie])
}

/** Each browser has a code, tries and delays of its own: what strangers ask for or guess spoils nobody's way back. */
const purposeIn = ({ hash }: { hash: string }): CodePurpose => `recover:${hash}`

type Asked = { purpose: CodePurpose; address: string; language: string }

async function sendRecoveryCode(context: Context, login: string, { purpose, address, language }: Asked): Promise<void> {
  const { emails, emailLimits, letters, now, random } = context
  const account = await emails.findAccount(foldUsername(login))
  if (!account?.email) return void (await dummyVerify(login))
  const { personId, email: inbox } = account
  const last = await emails.findCode(personId, purpose)
  if (last && secondsToWait(last, now()) > 0) return
  if ((await emailLimits.recoveriesFrom.fail(address, sha256(personId))) > 0) return
  if ((await emailLimits.recoveries.fail(personId)) > 0) return
  const issued = await issueCode(emails, { personId, purpose, now: now(), address: inbox, random })
  if (issued.kind === 'wait') return
  const { username } = account
  await letters.codeToRecover({ to: inbox, username, locale: language, code: issued.code, minutes: codeMinutes })
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

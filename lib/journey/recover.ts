import { setTimeout as sleep } from 'node:timers/promises'
import { networkFrom } from '#lib/account/activity'
import { checkCode, codeMinutes, issueCode, readCode, secondsToWait } from '#lib/account/email-code'
import { dummyVerify } from '#lib/account/password'
import { foldUsername } from '#lib/account/sign-in'
import type { Context } from '#lib/context'
import { sha256 } from '#lib/oauth/pkce'
import { goTo, pathWith } from './answer.ts'
import { carry, type Destination, goBack, readDestination } from './destination.ts'
import { type Flash, goAndSay } from './flash.ts'
import { type PageForm, readPageForm } from './form.ts'
import { pageLanguage } from './letter-facts.ts'
import { showProblem } from './problem-page.ts'
import { waitProblem } from './prove-address.ts'
import { askNewPassword, openTrip, sealTrip, type Trip } from './recovery-trip.ts'
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
    const wait = await context.emailLimits.lettersFrom.fail(networkFrom(request))
    if (wait > 0) return again('/recover', waitProblem(wait), { login })
    return goToCode(context, request, destination, await sendTo(context, request, login, 1))
  })

/** POST /recover/resend: a new code, with the same delays for every name. */
export const answerRecoverResend = (context: Context, request: Request): Promise<Response> =>
  answerRecovery(context, request, async ({ form, destination, again }) => {
    const trip = await openTrip(context, request.headers.get('cookie'), form.get('trip'), 'letter')
    if (!trip) return again('/recover', { code: 'expired' })
    const seconds = secondsToWait({ sent: trip.sent, sentAt: new Date(trip.sentAt) }, context.now())
    const wait = seconds || (await context.emailLimits.lettersFrom.fail(networkFrom(request)))
    if (wait > 0) return again('/recover/code', waitProblem(wait), {}, form.get('trip'))
    const next = await sendTo(context, request, trip.login, trip.sent + 1)
    return goToCode(context, request, destination, next, {
      form: 'recover-code',
      problems: [],
      kept: {},
      done: 'resent',
    })
  })

/** POST /recover/verify: the code from the letter; then a new password may be chosen. */
export const answerRecoverVerify = (context: Context, request: Request): Promise<Response> =>
  answerRecovery(context, request, async ({ form, destination, again }) => {
    const trip = await openTrip(context, request.headers.get('cookie'), form.get('trip'), 'letter')
    if (!trip) return again('/recover', { code: 'expired' })
    const address = networkFrom(request)
    const refuse = (code: string, more: object = { field: 'code' }) =>
      again('/recover/code', { code, ...more }, {}, form.get('trip'))
    const blocked = context.emailLimits.guessesFrom.blockedFor(address)
    if (blocked > 0) return refuse('slow_down', { wait: blocked })
    const typed = readCode(form.get('code'))
    if (typed === undefined) return refuse('code_missing')
    const [personId] = await Promise.all([personWithCode(context, trip.login, typed), sleep(evenly)])
    if (personId) return askNewPassword(context, request, destination, personId)
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

async function goToCode(context: Context, request: Request, destination: Destination, trip: Trip, flash?: Flash) {
  const { sealed, setCookie } = await sealTrip(context, request, trip)
  const page = pathWith('/recover/code', { trip: sealed, ...carry(destination) })
  return flash ? goAndSay(context, page, flash, [setCookie]) : goTo(page, [setCookie])
}

/** The letter is looked for, written and sent once the answer is on its way: neither its text nor its time tells anything. */
async function sendTo(context: Context, request: Request, login: string, sent: number): Promise<Trip> {
  const language = pageLanguage(request)
  context.letters.later(async () => {
    await sleep(afterwards)
    await sendRecoveryCode(context, login, language)
  })
  return { stage: 'letter', login, sent, sentAt: context.now().getTime() }
}

async function sendRecoveryCode(context: Context, login: string, language: string): Promise<void> {
  const { emails, emailLimits, letters, now, random } = context
  const account = await emails.findAccount(foldUsername(login))
  if (!account?.email) return void (await dummyVerify(login))
  const { personId, email: address } = account
  const last = await emails.findCode(personId, 'recover')
  if (last && secondsToWait(last, now()) > 0) return
  if ((await emailLimits.recoveries.fail(personId)) > 0 || (await emailLimits.lettersTo.fail(sha256(address))) > 0)
    return
  const issued = await issueCode(emails, { personId, purpose: 'recover', now: now(), address, random })
  if (issued.kind === 'wait') return
  const { username } = account
  await letters.codeToRecover({ to: address, username, locale: language, code: issued.code, minutes: codeMinutes })
}

/** Whose code this is; takes as long for a name that nobody has, or to whom no letter was sent. */
async function personWithCode(context: Context, login: string, typed: string): Promise<string | undefined> {
  const account = await context.emails.findAccount(foldUsername(login))
  if (!account?.email) return void (await dummyVerify(typed))
  const { personId, email } = account
  const checked = await checkCode(context.emails, { personId, purpose: 'recover', now: context.now(), typed })
  // A letter to an address that is no longer theirs proves nothing.
  return checked.kind === 'right' && checked.address === email ? personId : undefined
}

import { addressFrom, originOf } from '#lib/account/activity/activity'
import { foldUsername } from '#lib/account/person/username'
import { hashPassword } from '#lib/crypto/password-hash'
import { carry, type Destination, goBack, readDestination } from '#lib/flow/destination'
import { browserOf } from '#lib/http/browser-id'
import { isFromOurPages } from '#lib/http/csrf'
import { goAndSay } from '#lib/http/flash'
import { type PageForm, readPageForm } from '#lib/http/form'
import { pageLanguage } from '#lib/http/language'
import { showProblem } from '#lib/http/problem-page'
import { pathWith } from '#lib/http/redirect'
import type { Context } from '#lib/server/compose/context'
import { establishSession } from '#lib/sign-in/establish-session'
import { checkRegistration, passkeyAmr } from '#lib/sign-in/passkey/passkey'
import { openChallenge, spendChallenge } from '#lib/sign-in/passkey/passkey-challenge'
import { deviceName } from '#lib/sign-in/passkey/passkey-name'
import { hashRecoveryCodes, makeRecoveryCodes } from '#lib/sign-in/recovery-codes/recovery-code'
import { showCodes } from '#lib/sign-in/recovery-codes/shown-codes'
import { askSecondFactor } from '#lib/sign-in/second-factor/ask-second-factor'
import { tryPassword } from '#lib/sign-in/throttle/try-password'
import { invitationHash, type Newcomer, passwordProblem } from './newcomer.ts'
import { checkInvited, checkName, type SignUpProblem } from './sign-up-checks.ts'
import { openTicket } from './sign-up-ticket.ts'

/** POST /signup/submit: a username with a password, or with a passkey that the page's script has made. */
export async function answerSignUp(context: Context, request: Request): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(request, context.config.accountUrl))
    return showProblem(context, { kind: 'not_from_here' })
  const destination = await readDestination(context, request, { request: form.get('request'), to: form.get('to') })
  if (destination instanceof Response) return destination
  if (form.get('action') === 'cancel') return goBack(context, destination)
  const username = foldUsername(form.get('username').slice(0, 200))
  const problems = await findProblems(context, request, form, username)
  if (problems.length > 0) return refuse(context, request, destination, form, username, problems)
  return form.get('credential') === ''
    ? withPassword(context, request, destination, form, username)
    : withPasskey(context, request, destination, form, username)
}

async function findProblems(context: Context, request: Request, form: PageForm, username: string) {
  const uninvited = await checkInvited(context, form.get('invitation'))
  if (uninvited?.code === 'off') return [uninvited]
  const password =
    form.get('credential') === ''
      ? passwordProblem(form.get('password'), username, context.config.serviceName)
      : undefined
  return [
    await checkName(context, request, username),
    password && { field: 'password', code: `password_${password}` },
    uninvited,
  ].filter((problem) => problem !== undefined)
}

async function withPassword(
  context: Context,
  request: Request,
  destination: Destination,
  form: PageForm,
  username: string,
): Promise<Response> {
  const wait = await context.signUpLimit.accounts.fail(addressFrom(request))
  if (wait > 0) return askAgain(context, request, destination, form, [{ code: 'wait', wait }])
  const id = (await openTicket(context, form.get('ticket'))) ?? context.random(16).toString('base64url')
  const passwordHash = await hashPassword(form.get('password'))
  const problem = await arrive(context, request, form, { id, username, passwordHash })
  if (problem) return refuse(context, request, destination, form, username, [problem])
  return establishSession(context, request, destination, { personId: id, amr: ['pwd'] })
}

/** On a double submit, signs in to the account that the same form has just made. */
async function refuse(
  context: Context,
  request: Request,
  destination: Destination,
  form: PageForm,
  username: string,
  problems: SignUpProblem[],
): Promise<Response> {
  const made = await madeByThisForm(context, request, form, username)
  if (made.kind === 'wait') return askAgain(context, request, destination, form, [{ code: 'wait', wait: made.wait }])
  if (made.kind === 'other') return askAgain(context, request, destination, form, problems)
  const { personId } = made
  if (await context.factors.hasTotp(personId)) return askSecondFactor(context, request, destination, personId)
  return establishSession(context, request, destination, { personId, amr: ['pwd'] })
}

type Made = { kind: 'same'; personId: string } | { kind: 'other' } | { kind: 'wait'; wait: number }

/** Whether the form's account exists and its password is right; a try at that password counts as a try to sign in. */
async function madeByThisForm(context: Context, request: Request, form: PageForm, username: string): Promise<Made> {
  const made = await openTicket(context, form.get('ticket'))
  const person = made && (await context.signIn.findCredentials(username, context.now()))
  if (!person || person.personId !== made) return { kind: 'other' }
  const browser = browserOf(context, request).hash
  const password = form.get('password')
  const attempt = await tryPassword(context, request, { login: username, person, password, browser })
  if (attempt.kind === 'right') return { kind: 'same', personId: made }
  return attempt.kind === 'wait' ? attempt : { kind: 'other' }
}

/** Nobody else could let the owner of a passkey alone back in, so codes for the day it is lost come with it. */
async function withPasskey(
  context: Context,
  request: Request,
  destination: Destination,
  form: PageForm,
  username: string,
): Promise<Response> {
  const told = await openChallenge(context, request, form.get('state'), 'signup')
  if (!told) return askAgain(context, request, destination, form, [{ code: 'passkey_expired' }])
  const passkey = await checkRegistration(context.config, told.challenge, form.get('credential'))
  if (!passkey) return askAgain(context, request, destination, form, [{ code: 'passkey_refused' }])
  const wait = await context.signUpLimit.accounts.fail(addressFrom(request))
  if (wait > 0) return askAgain(context, request, destination, form, [{ code: 'wait', wait }])
  const codes = makeRecoveryCodes(context.random)
  const hashedCodes = await hashRecoveryCodes(codes)
  // Spent last: a browser sends the form again when the queue for hashing was full.
  if (!(await spendChallenge(context, told)))
    return askAgain(context, request, destination, form, [{ code: 'passkey_refused' }])
  const problem = await arrive(context, request, form, {
    id: told.personId,
    username,
    passkey: { ...passkey, name: deviceName(request) },
    codes: hashedCodes,
  })
  if (problem) return askAgain(context, request, destination, form, [problem])
  const proven = { personId: told.personId, amr: passkeyAmr(passkey) }
  return showCodes(context, await establishSession(context, request, destination, proven), codes, told.personId)
}

async function arrive(
  context: Context,
  request: Request,
  form: PageForm,
  newcomer: Omit<Newcomer, 'locale'>,
): Promise<SignUpProblem | undefined> {
  const invitation = context.config.signup === 'invite' ? { invitation: invitationHash(form.get('invitation')) } : {}
  const at = context.now()
  const outcome = await context.signUps.create({ ...newcomer, locale: pageLanguage(request), ...invitation }, at)
  switch (outcome) {
    case 'created':
      await context.activity.record(newcomer.id, { at, kind: 'signed_up', detail: {}, ...originOf(request) })
      return undefined
    case 'taken':
      return { field: 'username', code: 'username_taken' }
    case 'uninvited':
      return { field: 'invitation', code: 'invitation_wrong' }
  }
}

async function askAgain(
  context: Context,
  request: Request,
  destination: Destination,
  form: PageForm,
  problems: SignUpProblem[],
) {
  const kept = { username: form.get('username').slice(0, 200), invitation: form.get('invitation').slice(0, 60) }
  return goAndSay(context, request, pathWith('/signup', carry(destination)), { form: 'signup', problems, kept })
}

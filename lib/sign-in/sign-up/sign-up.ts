import { addressFrom, originOf } from '#lib/account/activity/activity'
import { invitationHash } from '#lib/account/person/invitation'
import { foldUsername } from '#lib/account/person/login-name'
import { hashPassword } from '#lib/crypto/password-hash'
import { type Destination, destinationFields, receiveSignInForm } from '#lib/flow/destination'
import { browserOf } from '#lib/http/cookies'
import { goAndSay } from '#lib/http/flash'
import type { PageForm } from '#lib/http/form'
import { pageLanguage } from '#lib/http/language'
import { pathWith } from '#lib/http/redirect'
import type { SignInContext } from '#lib/sign-in/context'
import { establishSession } from '#lib/sign-in/establish-session'
import { checkRegistration, passkeyAmr } from '#lib/sign-in/passkey/passkey'
import { openChallenge, spendChallenge } from '#lib/sign-in/passkey/passkey-challenge'
import { deviceName } from '#lib/sign-in/passkey/passkey-name'
import type { IsLeaked } from '#lib/sign-in/password/leaked-passwords'
import { passwordProblem } from '#lib/sign-in/password/password-problem'
import { hashRecoveryCodes, makeRecoveryCodes } from '#lib/sign-in/recovery-codes/recovery-code'
import { showCodes } from '#lib/sign-in/recovery-codes/shown-codes'
import { askSecondFactor } from '#lib/sign-in/second-factor/pending'
import { attemptPassword } from '#lib/sign-in/sign-in-with-password'
import type { Newcomer } from './newcomer.ts'
import { checkInvited, checkName, type SignUpChecks, type SignUpProblem } from './sign-up-checks.ts'
import { openTicket } from './sign-up-ticket.ts'

type SignUpContext = SignInContext & SignUpChecks & { isLeaked: IsLeaked }

/** A sign-up form, its destination and the folded username. */
type SignUp = { request: Request; destination: Destination; form: PageForm; username: string }

/** POST /signup/submit: a username with a password, or with a passkey that the page's script has made. */
export async function answerSignUp(context: SignUpContext, request: Request): Promise<Response> {
  const received = await receiveSignInForm(context, request)
  if (received instanceof Response) return received
  const { form, destination } = received
  const signUp = { request, destination, form, username: foldUsername(form.get('username').slice(0, 200)) }
  const problems = await findProblems(context, signUp)
  if (problems.length > 0) return refuse(context, signUp, problems)
  return form.get('credential') === '' ? withPassword(context, signUp) : withPasskey(context, signUp)
}

async function findProblems(context: SignUpContext, { request, form, username }: SignUp): Promise<SignUpProblem[]> {
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

async function withPassword(context: SignUpContext, signUp: SignUp): Promise<Response> {
  const { request, destination, form, username } = signUp
  const wait = await context.signUpLimit.accounts.fail(addressFrom(request))
  if (wait > 0) return askAgain(context, signUp, [{ code: 'wait', wait }])
  if (await context.isLeaked(form.get('password')))
    return askAgain(context, signUp, [{ field: 'password', code: 'password_leaked' }])
  const id = openTicket(context, form.get('ticket')) ?? context.random(16).toString('base64url')
  const passwordHash = await hashPassword(form.get('password'))
  const problem = await createAccount(context, signUp, { id, username, passwordHash })
  if (problem) return refuse(context, signUp, [problem])
  return establishSession(context, request, destination, { personId: id, amr: ['pwd'] })
}

/** On a double submit, signs in to the account that the same form has just made. */
async function refuse(context: SignUpContext, signUp: SignUp, problems: SignUpProblem[]): Promise<Response> {
  const made = await madeByThisForm(context, signUp)
  if (made.kind === 'wait') return askAgain(context, signUp, [{ code: 'wait', wait: made.wait }])
  if (made.kind === 'other') return askAgain(context, signUp, problems)
  const { personId } = made
  const { request, destination } = signUp
  if (await context.factors.hasTotp(personId)) return askSecondFactor(context, request, destination, { personId })
  return establishSession(context, request, destination, { personId, amr: ['pwd'] })
}

type Made = { kind: 'same'; personId: string } | { kind: 'other' } | { kind: 'wait'; wait: number }

/** Returns whether the form's account exists and its password is right; counts as an attempt to sign in. */
async function madeByThisForm(context: SignUpContext, { request, form, username }: SignUp): Promise<Made> {
  const made = openTicket(context, form.get('ticket'))
  const person = made && (await context.signIn.findCredentials(username, context.now()))
  if (!person || person.personId !== made) return { kind: 'other' }
  const browser = browserOf(context, request).hash
  const password = form.get('password')
  const about = { login: username, person, password, browser }
  const attempt = await attemptPassword(context, request, about, async ({ personId }) => personId)
  if (attempt.kind === 'right') return { kind: 'same', personId: attempt.result }
  return attempt.kind === 'wait' ? attempt : { kind: 'other' }
}

/** Creates an account with a passkey, and makes recovery codes: without an address, nothing else could recover it. */
async function withPasskey(context: SignUpContext, signUp: SignUp): Promise<Response> {
  const { request, destination, form, username } = signUp
  const challenge = await openChallenge(context, request, form.get('state'), 'signup')
  if (!challenge) return askAgain(context, signUp, [{ code: 'passkey_expired' }])
  const passkey = await checkRegistration(context.config, challenge.challenge, form.get('credential'))
  if (!passkey) return askAgain(context, signUp, [{ code: 'passkey_refused' }])
  const wait = await context.signUpLimit.accounts.fail(addressFrom(request))
  if (wait > 0) return askAgain(context, signUp, [{ code: 'wait', wait }])
  const codes = makeRecoveryCodes(context.random)
  const hashedCodes = await hashRecoveryCodes(codes)
  // Spends the challenge after hashing: when the queue for hashing is full, the person can send the same form again.
  if (!(await spendChallenge(context, challenge))) return askAgain(context, signUp, [{ code: 'passkey_refused' }])
  const { personId } = challenge
  const named = { ...passkey, name: deviceName(request) }
  const problem = await createAccount(context, signUp, { id: personId, username, passkey: named, codes: hashedCodes })
  if (problem) return askAgain(context, signUp, [problem])
  const proven = { personId, amr: passkeyAmr(passkey) }
  return showCodes(context, await establishSession(context, request, destination, proven), codes, personId)
}

async function createAccount(
  context: SignUpContext,
  { request, form }: SignUp,
  newcomer: Omit<Newcomer, 'locale'>,
): Promise<SignUpProblem | undefined> {
  const invitation = context.config.signup === 'invite' ? { invitation: invitationHash(form.get('invitation')) } : {}
  const at = context.now()
  const outcome = await context.signUps.create(
    { ...newcomer, locale: pageLanguage(context, request), ...invitation },
    at,
  )
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

async function askAgain(context: SignUpContext, { request, destination, form }: SignUp, problems: SignUpProblem[]) {
  const kept = { username: form.get('username').slice(0, 200), invitation: form.get('invitation').slice(0, 60) }
  const page = pathWith('/signup', destinationFields(destination))
  return goAndSay(context, request, page, { form: 'signup', problems, kept })
}

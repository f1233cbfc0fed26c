import { addressFrom } from '#lib/account/activity/activity'
import { invitationHash } from '#lib/account/person/invitation'
import { nameProblem } from '#lib/account/person/login-name'
import type { Flash } from '#lib/http/flash'
import { isNameFree, type SignUpStore } from './newcomer.ts'

export type SignUpProblem = Flash['problems'][number]

/** The parts that checking a name or an invitation needs. */
export type SignUpChecks = {
  config: { serviceName: string; signup: 'open' | 'invite' | 'off' }
  now(): Date
  signUps: SignUpStore
  /** Each limit returns the seconds to wait, or 0. */
  signUpLimit: {
    names: { fail(address: string): Promise<number> }
    accounts: { fail(address: string): Promise<number> }
  }
}

/** Returns why a username cannot be used: it breaks a rule, is reserved, is taken, or looks like a taken one. */
export async function checkName(
  context: SignUpChecks,
  request: Request,
  username: string,
): Promise<SignUpProblem | undefined> {
  const problem = nameProblem(username, context.config.serviceName)
  if (problem) return { field: 'username', code: `username_${problem}` }
  // A username is no secret, but this form must not serve to enumerate usernames.
  const wait = await context.signUpLimit.names.fail(addressFrom(request))
  if (wait > 0) return { code: 'wait', wait }
  const answer = await isNameFree(context.signUps, username)
  return answer === 'free' ? undefined : { field: 'username', code: `username_${answer}` }
}

/** Returns why the visitor cannot sign up: sign-up is off, or needs an unused invitation. */
export async function checkInvited(context: SignUpChecks, code: string): Promise<SignUpProblem | undefined> {
  if (context.config.signup === 'open') return undefined
  if (context.config.signup === 'off') return { code: 'off' }
  if (code.trim() === '') return { field: 'invitation', code: 'invitation_missing' }
  const invited = await context.signUps.isInvited(invitationHash(code), context.now())
  return invited ? undefined : { field: 'invitation', code: 'invitation_wrong' }
}

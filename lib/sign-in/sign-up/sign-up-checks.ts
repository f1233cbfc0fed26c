import { addressFrom } from '#lib/account/activity/activity'
import { nameProblem } from '#lib/account/person/username'
import type { Flash } from '#lib/http/flash'
import type { Context } from '#lib/server/compose/context'
import { invitationHash, isNameFree } from './newcomer.ts'

export type SignUpProblem = Flash['problems'][number]

/** What speaks against a name: its form, that it is kept back, or that somebody has it or one that looks like it. */
export async function checkName(
  context: Context,
  request: Request,
  username: string,
): Promise<SignUpProblem | undefined> {
  const problem = nameProblem(username, context.config.serviceName)
  if (problem) return { field: 'username', code: `username_${problem}` }
  // Names are no secret, but nobody should read all of them off this form.
  const wait = await context.signUpLimit.names.fail(addressFrom(request))
  if (wait > 0) return { code: 'wait', wait }
  const answer = await isNameFree(context.signUps, username)
  return answer === 'free' ? undefined : { field: 'username', code: `username_${answer}` }
}

/** Whether one may sign up here at all: openly, with an unused invitation, or not. */
export async function checkInvited(context: Context, code: string): Promise<SignUpProblem | undefined> {
  if (context.config.signup === 'open') return undefined
  if (context.config.signup === 'off') return { code: 'off' }
  if (code.trim() === '') return { field: 'invitation', code: 'invitation_missing' }
  const invited = await context.signUps.isInvited(invitationHash(code), context.now())
  return invited ? undefined : { field: 'invitation', code: 'invitation_wrong' }
}

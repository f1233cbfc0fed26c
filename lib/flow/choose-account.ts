import { accountsHere } from '#lib/account/signed-in/accounts-here'
import { sessionCookie } from '#lib/http/cookies'
import { goTo, pathWith } from '#lib/http/redirect'
import type { FlowContext } from './context.ts'
import { destinationFields, proceed, receiveSignInForm } from './destination.ts'

/**
 * POST /choose/submit: switches to the chosen account of this browser, or redirects to the sign-in page for a
 * different account.
 */
export async function answerChoice(context: FlowContext, request: Request): Promise<Response> {
  const received = await receiveSignInForm(context, request)
  if (received instanceof Response) return received
  const { form, destination } = received
  const accounts = await accountsHere(context, request.headers.get('cookie'))
  const chosen = accounts.find(({ session }) => session.publicId === form.get('account'))
  if (!chosen) return goTo(pathWith('/signin', { ...destinationFields(destination), as: 'other' }))
  const rest = accounts.filter((account) => account !== chosen)
  const secrets = [chosen, ...rest].map(({ secret }) => secret)
  return proceed(context, destination, { sessionId: chosen.session.id, signedIn: false, chosen: true }, [
    sessionCookie(context, secrets),
  ])
}

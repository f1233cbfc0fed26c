import { accountsHere } from '#lib/account/signed-in/accounts-here'
import { sessionDays } from '#lib/account/signed-in/session'
import { isFromOurPages } from '#lib/http/csrf'
import { readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import { sessionCookie } from '#lib/http/session-cookie'
import type { Context } from '#lib/server/compose/context'
import { carry, goBack, goOn, readDestination } from './destination.ts'

/** POST /choose/submit: puts one of this browser's accounts to use, or leads to signing in with another. */
export async function answerChoice(context: Context, request: Request): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(request, context.config.accountUrl))
    return showProblem(context, { kind: 'not_from_here' })
  const destination = await readDestination(context, request, { request: form.get('request'), to: form.get('to') })
  if (destination instanceof Response) return destination
  if (form.get('action') === 'cancel') return goBack(context, destination)
  const accounts = await accountsHere(context, request.headers.get('cookie'))
  const chosen = accounts.find(({ session }) => session.publicId === form.get('account'))
  if (!chosen) return goTo(pathWith('/signin', { ...carry(destination), as: 'other' }))
  const rest = accounts.filter((account) => account !== chosen)
  const secrets = [chosen, ...rest].map(({ secret }) => secret)
  return goOn(context, destination, { sessionId: chosen.session.id, signedIn: false, chosen: true }, [
    await sessionCookie(context, secrets, sessionDays.absolute * 86_400),
  ])
}

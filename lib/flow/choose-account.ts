import { sessionDays } from '#lib/account/signed-in/session'
import { sha256 } from '#lib/crypto/hash'
import { heldSecrets, sessionCookie } from '#lib/http/cookies'
import { isFromOurPages } from '#lib/http/csrf'
import { readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Context } from '#lib/server/compose/context'
import { carry, goBack, goOn, readDestination } from './destination.ts'
import type { Current } from './traveller.ts'

/** Everybody signed in in this browser, the account in use first. */
export async function accountsHere(
  context: Context,
  cookies: string | null,
): Promise<(Current & { secret: string })[]> {
  const secrets = await heldSecrets(context, cookies)
  const found = await Promise.all(
    secrets.map(async (secret) => ({ secret, found: await context.signIn.findSession(sha256(secret), context.now()) })),
  )
  return found.flatMap(({ secret, found }) => (found ? [{ ...found, secret }] : []))
}

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

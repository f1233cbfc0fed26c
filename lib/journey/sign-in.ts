import { sessionDays } from '#lib/account/session'
import { checkPassword, foldUsername } from '#lib/account/sign-in'
import type { Context } from '#lib/context'
import { sha256 } from '#lib/oauth/pkce'
import { goTo, pathWith } from './answer.ts'
import { wayBack } from './app-answer.ts'
import { claimedSession, sessionCookie } from './cookies.ts'
import { flashCookie } from './flash.ts'
import { readPageForm } from './form.ts'
import { showProblem } from './problem-page.ts'
import { isFromOurPages } from './same-origin.ts'
import { sealRequest } from './sealed-request.ts'
import { readTraveller, type Traveller } from './traveller.ts'

/** POST /signin/submit: username and password, or cancel. */
export async function answerSignIn(context: Context, request: Request): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(request, context.config.accountUrl))
    return showProblem(context, { kind: 'not_from_here' })
  const sealed = form.get('request')
  const traveller = await readTraveller(context, request, sealed)
  if (traveller instanceof Response) return traveller
  if (form.get('action') === 'cancel') return goTo(await wayBack(context, traveller.travelling.request))
  const username = form.get('username').slice(0, 200)
  const attempt = await tryPassword(context, request, username, form.get('password'))
  if (attempt.kind === 'refused') {
    const flash = { form: 'signin', problems: [attempt.problem], kept: { username } }
    return goTo(pathWith('/signin', { request: sealed }), [await flashCookie(context, flash)])
  }
  return signedIn(context, request, traveller, attempt.personId)
}

type Attempt =
  | { kind: 'right'; personId: string }
  | { kind: 'refused'; problem: { field?: string; code: string; wait?: number } }

/** Failures are counted for the account and for the address; each waits longer, neither for ever. */
async function tryPassword(context: Context, request: Request, username: string, password: string): Promise<Attempt> {
  const refused = (code: string, more = {}): Attempt => ({ kind: 'refused', problem: { code, ...more } })
  if (username === '') return refused('username_missing', { field: 'username' })
  if (password === '') return refused('password_missing', { field: 'password' })
  const { signIn, signInDelay } = context
  const address = `address:${request.headers.get('x-postern-client') ?? 'unknown'}`
  const keys = [address, `account:${sha256(foldUsername(username))}`]
  // Only an address is turned away unheard: strangers who fail for an account must not keep its owner out.
  const blocked = await signInDelay.waitFor(address)
  if (blocked > 0) return refused('wait', { wait: blocked })
  const personId = await checkPassword(signIn, username, password.slice(0, 1000))
  if (personId !== undefined) {
    await Promise.all(keys.map((key) => signInDelay.reset(key)))
    return { kind: 'right', personId }
  }
  const wait = Math.max(...(await Promise.all(keys.map((key) => signInDelay.fail(key)))))
  return wait > 0 ? refused('wait', { wait }) : refused('wrong', { field: 'username' })
}

/** A new session with every sign-in; the one before in this browser ends. */
async function signedIn(
  context: Context,
  request: Request,
  { travelling }: Traveller,
  personId: string,
): Promise<Response> {
  const now = context.now()
  const secret = context.random(32).toString('base64url')
  const maxAge = sessionDays.absolute * 86_400
  const session = {
    id: sha256(secret),
    publicId: context.random(16).toString('base64url'),
    personId,
    amr: ['pwd'],
    authenticatedAt: now,
  }
  const before = await claimedSession(context, request.headers.get('cookie'))
  await context.signIn.createSession({ ...session, expiresAt: new Date(now.getTime() + maxAge * 1000) })
  if (before) await context.signIn.endSession(before, now)
  const progress = { sessionId: session.id, signedIn: true, consented: false }
  const sealed = await sealRequest(context.secrets, { ...travelling, progress })
  return goTo(pathWith('/continue', { request: sealed }), [await sessionCookie(context, secret, maxAge)])
}

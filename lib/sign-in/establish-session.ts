import { originOf } from '#lib/account/activity/activity'
import { describeEvent } from '#lib/account/activity/describe-event'
import type { AccountContext } from '#lib/account/context'
import { rememberBrowser } from '#lib/account/sessions/known-browser'
import { type Session, type SignInStore, sessionDays } from '#lib/account/signed-in/session'
import { sha256 } from '#lib/crypto/hash'
import type { FlowContext } from '#lib/flow/context'
import { type Destination, proceed } from '#lib/flow/destination'
import { cookieName, heldSecrets, mostAccounts, readCookie, sessionCookie, setCookie } from '#lib/http/cookies'
import type { Site } from '#lib/http/site'
import type { Progress } from '#lib/oauth/authorize/next-step'

type SessionContext = FlowContext & AccountContext & { signIn: SignInStore }

/** A proven sign-in: the person, and the methods that proved it (`amr`, RFC 8176). */
export type Proven = { personId: string; amr: string[] }

/** The `amr` of a recovery: one code, from the inbox or the list. A second code of the same kind is no second factor. */
export const recovered = ['otp']

/**
 * Begins a session and continues to the destination. Ends the person's previous session in this browser, so that a session
 * id never outlives a sign-in; keeps the sessions of other people.
 */
export async function establishSession(
  context: SessionContext,
  request: Request,
  destination: Destination,
  proven: Proven,
): Promise<Response> {
  const now = context.now()
  const secret = context.random(32).toString('base64url')
  const maxAge = sessionDays.absolute * 86_400
  const id = sha256(secret)
  const { replaced, others } = await sessionsHere(context, request, proven.personId)
  await context.signIn.createSession({
    id,
    publicId: context.random(16).toString('base64url'),
    firstId: replaced?.firstId,
    ...proven,
    ...originOf(request),
    authenticatedAt: now,
    expiresAt: new Date(now.getTime() + maxAge * 1000),
  })
  await context.activity.record(proven.personId, { at: now, kind: 'signed_in', detail: {}, ...originOf(request) })
  if (replaced) await context.signIn.endReplacedSession(replaced.id, now)
  const known = await rememberBrowser(context, request, proven.personId)
  // A recovery has already sent its own letter.
  if (known.isNew && proven.amr.join() !== recovered.join()) await writeAboutNewBrowser(context, request, id)
  const progress = { sessionId: id, signedIn: true, chosen: true, ...decidedBefore(destination, proven.personId) }
  return proceed(context, destination, progress, [
    await sessionCookie(context, [secret, ...others], maxAge),
    ...known.cookies,
    // Keeps the flash when the same person reauthenticates.
    destination.current?.person.id === proven.personId ? undefined : clear(context, request, 'flash'),
    clear(context, request, 'pending'),
  ])
}

/** Keeps a decision about this request when the same person reauthenticates. */
function decidedBefore(destination: Destination, personId: string): Pick<Progress, 'agreed'> & { consented?: boolean } {
  const { current } = destination
  const progress = destination.kind === 'app' ? destination.interaction.flow.progress : undefined
  if (!progress || current?.person.id !== personId || current.session.id !== progress.sessionId) return {}
  return { consented: progress.consented, ...(progress.agreed && { agreed: progress.agreed }) }
}

/** Sends a letter about a sign-in in a browser that is not known to the person. */
async function writeAboutNewBrowser(context: SessionContext, request: Request, sessionId: string) {
  const found = await context.signIn.findSession(sessionId, context.now())
  if (!found?.person.email) return
  const { email: to, username, locale } = found.person
  void context.letters.newSignIn({ to, username, locale, ...describeEvent(context, request) })
}

/**
 * Returns the person's own session in this browser, which the new one replaces, and the secrets of other people's
 * sessions. Ends the sessions above the limit.
 */
async function sessionsHere(context: SessionContext, request: Request, personId: string) {
  let replaced: Session | undefined
  const others: string[] = []
  for (const secret of await heldSecrets(context, request.headers.get('cookie'))) {
    const found = await context.signIn.findSession(sha256(secret), context.now())
    if (found && found.person.id !== personId && others.length < mostAccounts - 1) others.push(secret)
    else if (found?.person.id === personId && !replaced) replaced = found.session
    else if (found) await context.signIn.endSession(found.session.id, context.now())
  }
  return { replaced, others }
}

/** Deletes a cookie if the browser sent it: an old flash, or a first proof that is used up. */
const clear = (context: Pick<Site, 'config'>, request: Request, name: 'flash' | 'pending'): string | undefined =>
  readCookie(request.headers.get('cookie'), cookieName(context, name)) && setCookie(context, name, '', 0)

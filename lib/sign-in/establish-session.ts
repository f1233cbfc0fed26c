import { originOf } from '#lib/account/activity/activity'
import { describeEvent } from '#lib/account/activity/describe-event'
import { rememberBrowser } from '#lib/account/sessions/known-browser'
import { sessionDays } from '#lib/account/signed-in/session'
import { sha256 } from '#lib/crypto/hash'
import { type Destination, goOn } from '#lib/flow/destination'
import { cookieName, readCookie, setCookie } from '#lib/http/cookies'
import { heldSecrets, mostAccounts, sessionCookie } from '#lib/http/session-cookie'
import type { Progress } from '#lib/oauth/authorize/next-step'
import type { Context } from '#lib/server/compose/context'

/** Who proved to be whom, and by which means (`amr`, RFC 8176). */
export type Proven = { personId: string; amr: string[] }

/** What a recovery proves: one code, from the inbox or the list. A second one of its kind makes no second factor. */
export const recovered = ['otp']

/**
 * Begins a session with every sign-in, whatever proved it, and goes on. The same person's session before in this
 * browser ends, so that an id never outlives a rise of privilege; other people's stay, behind it.
 */
export async function establishSession(
  context: Context,
  request: Request,
  destination: Destination,
  proven: Proven,
): Promise<Response> {
  const now = context.now()
  const secret = context.random(32).toString('base64url')
  const maxAge = sessionDays.absolute * 86_400
  const id = sha256(secret)
  await context.signIn.createSession({
    id,
    publicId: context.random(16).toString('base64url'),
    ...proven,
    ...originOf(request),
    authenticatedAt: now,
    expiresAt: new Date(now.getTime() + maxAge * 1000),
  })
  await context.activity.record(proven.personId, { at: now, kind: 'signed_in', detail: {}, ...originOf(request) })
  const others = await withoutPerson(context, request, proven.personId)
  const known = await rememberBrowser(context, request, proven.personId)
  // The person has had a letter about the recovery.
  if (known.isNew && proven.amr.join() !== recovered.join()) await tellOfNewBrowser(context, request, id)
  const progress = { sessionId: id, signedIn: true, chosen: true, ...decidedBefore(destination, proven.personId) }
  return goOn(context, destination, progress, [
    await sessionCookie(context, [secret, ...others], maxAge),
    ...known.cookies,
    // Keeps the flash when the same person reauthenticates.
    destination.current?.person.id === proven.personId ? undefined : clear(context, request, 'flash'),
    clear(context, request, 'pending'),
  ])
}

/** What somebody agreed to for this request stands when they only prove once more who they are. */
function decidedBefore(destination: Destination, personId: string): Pick<Progress, 'agreed'> & { consented?: boolean } {
  const { current } = destination
  const progress = destination.kind === 'app' ? destination.interaction.flow.progress : undefined
  if (!progress || current?.person.id !== personId || current.session.id !== progress.sessionId) return {}
  return { consented: progress.consented, ...(progress.agreed && { agreed: progress.agreed }) }
}

/** Sends a letter about a sign-in in a browser that the person never used before. */
async function tellOfNewBrowser(context: Context, request: Request, sessionId: string) {
  const found = await context.signIn.findSession(sessionId, context.now())
  if (!found?.person.email) return
  const { email: to, username, locale } = found.person
  void context.letters.newSignIn({ to, username, locale, ...describeEvent(context, request) })
}

/** The accounts of this browser that are somebody else's and still signed in; one too many ends. */
async function withoutPerson(context: Context, request: Request, personId: string): Promise<string[]> {
  const others: string[] = []
  for (const secret of await heldSecrets(context, request.headers.get('cookie'))) {
    const found = await context.signIn.findSession(sha256(secret), context.now())
    if (found && found.person.id !== personId && others.length < mostAccounts - 1) others.push(secret)
    else if (found) await context.signIn.endSession(sha256(secret), context.now())
  }
  return others
}

/** What went wrong before is not to be said when its page is met again, and a first proof is used up. */
const clear = (context: Context, request: Request, name: 'flash' | 'pending'): string | undefined =>
  readCookie(request.headers.get('cookie'), cookieName(context, name)) && setCookie(context, name, '', 0)

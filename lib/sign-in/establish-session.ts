import { originOf } from '#lib/account/activity/activity'
import { describeEvent, timeFormOf } from '#lib/account/activity/describe-event'
import type { AccountContext } from '#lib/account/context'
import { forgetPerson, rememberBrowser } from '#lib/account/sessions/known-browser'
import { endOfShared, type Session, type SignInStore, sessionDays } from '#lib/account/signed-in/session'
import { sha256 } from '#lib/crypto/hash'
import type { FlowContext } from '#lib/flow/context'
import { type Destination, destinationFields, proceed } from '#lib/flow/destination'
import { cookieName, heldSecrets, mostAccounts, readCookie, sessionCookie, setCookie } from '#lib/http/cookies'
import { goAndSay } from '#lib/http/flash'
import type { PageForm } from '#lib/http/form'
import { pathWith } from '#lib/http/redirect'
import type { Site } from '#lib/http/site'
import type { Progress } from '#lib/oauth/authorize/next-step'
import { isPasskeyOffered, offerPath } from '#lib/sign-in/passkey/offer-passkey'
import type { FactorStore } from '#lib/sign-in/second-factor/store'

type SessionContext = FlowContext & AccountContext & { signIn: SignInStore; factors: Pick<FactorStore, 'ways'> }

/** What the sign-in form says about the browser: a shared device is not to remember the person; a passkey can be made. */
export type SaidOfBrowser = { isShared?: true; makesPasskeys?: true }

/**
 * A proven sign-in: the person, and the methods that proved it (`amr`, RFC 8176). `knownVersion` is the version
 * that was read with the password hash; no session begins if the version has changed.
 */
export type Proven = { personId: string; knownVersion?: number; amr: string[] } & SaidOfBrowser

/** Reads what the sign-in form says about the browser. */
export const saidOfBrowser = (form: PageForm): SaidOfBrowser => ({
  ...(form.get('shared') === '1' && { isShared: true }),
  ...(form.get('makes_passkeys') === '1' && { makesPasskeys: true }),
})

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
  { personId, knownVersion, amr, ...said }: Proven,
): Promise<Response> {
  const now = context.now()
  const secret = context.random(32).toString('base64url')
  const id = sha256(secret)
  const { replaced, others } = await sessionsHere(context, request, personId)
  const sharedUntil = endOfShared(said.isShared ?? false, replaced, now)
  const stored = context.signIn.createSession({
    id,
    publicId: context.random(16).toString('base64url'),
    firstId: replaced?.firstId,
    personId,
    knownVersion,
    amr,
    ...originOf(request),
    ...timeFormOf(request),
    authenticatedAt: now,
    expiresAt: sharedUntil ?? new Date(now.getTime() + sessionDays.absolute * 86_400_000),
  })
  // Run concurrently, so that SQLite commits both writes together. The record can be stored although the session is not.
  const noted = context.activity.record(personId, { at: now, kind: 'signed_in', detail: {}, ...originOf(request) })
  const [isStored] = await Promise.all([stored, noted])
  if (!isStored) return askAgain(context, request, destination)
  if (replaced) await context.signIn.endReplacedSession(replaced.id, now)
  const known = sharedUntil
    ? { isNew: !replaced, cookies: await forgetPerson(context, request, personId) }
    : await rememberBrowser(context, request, { personId, knownVersion })
  // A recovery has already sent its own letter.
  if (known.isNew && amr.join() !== recovered.join()) await writeAboutNewBrowser(context, request, id)
  const progress = { sessionId: id, signedIn: true, chosen: true, ...decidedBefore(destination, personId) }
  const offers = said.makesPasskeys && !replaced && !sharedUntil && destination.kind === 'account'
  const isOffered = offers && (await isPasskeyOffered(context, request.headers.get('cookie'), personId))
  const next = isOffered ? { ...destination, path: offerPath(destination.path) } : destination
  return proceed(context, next, progress, [
    sessionCookie(context, [secret, ...others]),
    ...known.cookies,
    // Keeps the flash when the same person reauthenticates.
    destination.current?.person.id === personId ? undefined : clear(context, request, 'flash'),
    clear(context, request, 'pending'),
  ])
}

/** Asks for the password again, as after a wrong one. */
const askAgain = (context: SessionContext, request: Request, destination: Destination) =>
  goAndSay(context, request, pathWith('/signin', destinationFields(destination)), {
    form: 'signin',
    problems: [{ field: 'username', code: 'wrong' }],
    kept: {},
  })

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
  const { authenticatedAt: signedInAt } = found.session
  void context.letters.newSignIn({ to, username, locale, ...describeEvent(context, request), signedInAt })
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

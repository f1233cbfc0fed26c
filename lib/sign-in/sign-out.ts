import { type ActivityStore, originOf } from '#lib/account/activity/activity'
import { accountsHere } from '#lib/account/signed-in/accounts-here'
import type { Current, SignInStore } from '#lib/account/signed-in/session'
import { sha256 } from '#lib/crypto/hash'
import type { FlowContext } from '#lib/flow/context'
import { isProven, openLogout } from '#lib/flow/logout'
import { heldSecrets, sessionCookie } from '#lib/http/cookies'
import { isFromOurPages, readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { goTo, pathWith } from '#lib/http/redirect'
import type { Client } from '#lib/oauth/client/client'

type SignOutContext = FlowContext & { signIn: Pick<SignInStore, 'endSession'>; activity: ActivityStore }

/** The page /logout: a question about these accounts, which an app may have caused; without accounts, "signed out". */
export type LogoutPage = { accounts: Current[]; app: Client | undefined }

/**
 * Reads the page /logout; returns a redirect instead when the browser needs no question and no page (RP-Initiated Logout
 * 1.0 §2).
 */
export async function readLogoutPage(
  context: FlowContext,
  cookies: string | null,
  sealed: string,
): Promise<LogoutPage | Response> {
  const [accounts, logout] = await Promise.all([accountsHere(context, cookies), openLogout(context, sealed)])
  // A page cannot end a session.
  if (await isProven(context, logout, accounts)) return goTo(pathWith('/logout/end', { request: sealed }))
  if (accounts.length === 0 && logout?.returnAddress !== undefined) return goTo(logout.returnAddress)
  return { accounts, app: logout?.client }
}

/** GET /logout/end: signs out without a question if the hint still proves the session, else returns to the page. */
export async function answerProvenLogout(context: SignOutContext, request: Request): Promise<Response> {
  const parameters = new URL(request.url).searchParams
  const sealed = parameters.get('request') ?? ''
  const accounts = await accountsHere(context, request.headers.get('cookie'))
  const logout = await openLogout(context, sealed)
  if (!(await isProven(context, logout, accounts))) return goTo(pathWith('/logout', { request: sealed }))
  return signOut(
    context,
    request,
    accounts,
    logout?.returnAddress ?? pathWith('/logout', { ui_locales: logout?.uiLocales }),
  )
}

/**
 * POST /logout/submit: ends every session of this browser, and no other; the page lists the accounts of these
 * sessions. Returns to the app that asked for it, if it registered the address.
 */
export async function answerSignOut(context: SignOutContext, request: Request): Promise<Response> {
  const accounts = await accountsHere(context, request.headers.get('cookie'))
  const inUse = accounts[0]?.session
  const [isOurs, isPossible] = [isFromOurPages(context, request, 'headers'), isFromOurPages(context, request, 'token')]
  if (!isOurs && !isPossible) return showProblem(context, { kind: 'not_from_here' })
  const form = await readPageForm(request)
  const sealed = form?.get('request') ?? ''
  const ui_locales = form?.get('ui_locales') || undefined
  if (!isOurs) {
    // A cross-site request stops here; a client without origin headers needs the public id of the session in use.
    if (!inUse) return goTo(pathWith('/logout', { request: sealed || undefined, ui_locales }))
    const mode = { session: { sent: form?.get('session') ?? '', publicId: inUse.publicId } }
    if (!isFromOurPages(context, request, mode)) return showProblem(context, { kind: 'not_from_here' })
  }
  const logout = await openLogout(context, sealed)
  return signOut(context, request, accounts, logout?.returnAddress ?? pathWith('/logout', { ui_locales }))
}

async function signOut(
  context: SignOutContext,
  request: Request,
  accounts: Current[],
  next: string,
): Promise<Response> {
  const now = context.now()
  for (const secret of await heldSecrets(context, request.headers.get('cookie'))) {
    const id = sha256(secret)
    const account = accounts.find(({ session }) => session.id === id)
    // Of several sign-outs at once, one is recorded.
    if ((await context.signIn.endSession(id, now)) && account)
      await context.activity.record(account.person.id, {
        at: now,
        kind: 'signed_out',
        detail: {},
        ...originOf(request),
      })
  }
  return goTo(next, [sessionCookie(context, [])])
}

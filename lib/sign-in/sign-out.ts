import { type ActivityStore, originOf } from '#lib/account/activity/activity'
import { accountsHere } from '#lib/account/signed-in/accounts-here'
import type { SignInStore } from '#lib/account/signed-in/session'
import { sha256 } from '#lib/crypto/hash'
import { heldSecrets, sessionCookie } from '#lib/http/cookies'
import { isFromOurPages, readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { goTo } from '#lib/http/redirect'
import type { Site } from '#lib/http/site'

type SignOutContext = Site & { signIn: Pick<SignInStore, 'findSession' | 'endSession'>; activity: ActivityStore }

/**
 * POST /signout/submit: ends every session of this browser, and no other; the page lists the accounts of these
 * sessions.
 */
export async function answerSignOut(context: SignOutContext, request: Request): Promise<Response> {
  const cookies = request.headers.get('cookie')
  const now = context.now()
  const accounts = await accountsHere(context, cookies)
  const inUse = accounts[0]?.session
  if (!isFromOurPages(context, request, 'headers')) {
    // A cross-site request stops here; a client without origin headers needs the public id of the session in use.
    if (!isFromOurPages(context, request, 'token')) return showProblem(context, { kind: 'not_from_here' })
    if (!inUse) return goTo('/signout')
    const sent = (await readPageForm(request))?.get('session') ?? ''
    const mode = { session: { sent, publicId: inUse.publicId } }
    if (!isFromOurPages(context, request, mode)) return showProblem(context, { kind: 'not_from_here' })
  }
  for (const secret of await heldSecrets(context, cookies)) await context.signIn.endSession(sha256(secret), now)
  for (const { person } of accounts)
    await context.activity.record(person.id, { at: now, kind: 'signed_out', detail: {}, ...originOf(request) })
  return goTo('/signout', [await sessionCookie(context, [], 0)])
}

import { originOf } from '#lib/account/activity/activity'
import { accountsHere } from '#lib/account/signed-in/accounts-here'
import { sha256 } from '#lib/crypto/hash'
import { postedFrom } from '#lib/http/csrf'
import { readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { goTo } from '#lib/http/redirect'
import { heldSecrets, sessionCookie } from '#lib/http/session-cookie'
import type { Context } from '#lib/server/compose/context'

/** POST /signout/submit: ends the sessions of this browser, whosever they are, and nothing else; the page names them. */
export async function answerSignOut(context: Context, request: Request): Promise<Response> {
  const cookies = request.headers.get('cookie')
  const now = context.now()
  const accounts = await accountsHere(context, cookies)
  const from = postedFrom(request, context.config.accountUrl)
  if (from === 'elsewhere') return showProblem(context, { kind: 'not_from_here' })
  if (from === 'unsaid') {
    // Nobody is signed out whose cookie did not come along; and only a page of ours knows this.
    if (accounts.length === 0) return goTo('/signout')
    const shown = (await readPageForm(request))?.get('session')
    if (shown !== accounts[0]?.session.publicId) return showProblem(context, { kind: 'not_from_here' })
  }
  for (const secret of await heldSecrets(context, cookies)) await context.signIn.endSession(sha256(secret), now)
  for (const { person } of accounts)
    await context.activity.record(person.id, { at: now, kind: 'signed_out', detail: {}, ...originOf(request) })
  return goTo('/signout', [await sessionCookie(context, [], 0)])
}

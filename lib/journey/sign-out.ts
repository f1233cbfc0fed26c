import { originOf } from '#lib/account/activity'
import type { Context } from '#lib/context'
import { sha256 } from '#lib/oauth/pkce'
import { goTo } from './answer.ts'
import { heldSecrets, sessionCookie } from './cookies.ts'
import { showProblem } from './problem-page.ts'
import { isFromOurPages } from './same-origin.ts'
import { currentSession } from './traveller.ts'

/** POST /signout/submit: ends this browser's sessions, and nothing else; the page says so. */
export async function answerSignOut(context: Context, request: Request): Promise<Response> {
  if (!isFromOurPages(request, context.config.accountUrl)) return showProblem(context, { kind: 'not_from_here' })
  const cookies = request.headers.get('cookie')
  const now = context.now()
  const current = await currentSession(context, cookies)
  for (const secret of await heldSecrets(context, cookies)) await context.signIn.endSession(sha256(secret), now)
  if (current)
    await context.activity.record(current.person.id, { at: now, kind: 'signed_out', detail: {}, ...originOf(request) })
  return goTo('/signout', [await sessionCookie(context, [], 0)])
}

import type { Context } from '#lib/context'
import { goTo } from './answer.ts'
import { claimedSession, setCookie } from './cookies.ts'
import { showProblem } from './problem-page.ts'
import { isFromOurPages } from './same-origin.ts'

/** POST /signout/submit: ends this browser's session, and nothing else; the page says so. */
export async function answerSignOut(context: Context, request: Request): Promise<Response> {
  if (!isFromOurPages(request, context.config.accountUrl)) return showProblem(context, { kind: 'not_from_here' })
  const session = await claimedSession(context, request.headers.get('cookie'))
  if (session) await context.signIn.endSession(session, context.now())
  return goTo('/signout', [setCookie(context, 'session', '', 0)])
}

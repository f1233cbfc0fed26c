import { foldUsername } from '#lib/account/person/username'
import type { Context } from '#lib/server/compose/context'
import { checkName } from './sign-up-checks.ts'

/** GET /signup/check?username=: whether a name could be had, for the page's script while it is typed. */
export async function answerNameCheck(context: Context, request: Request): Promise<Response> {
  const username = foldUsername((new URL(request.url).searchParams.get('username') ?? '').slice(0, 200))
  const closed = context.config.signup === 'off'
  const problem = closed ? { code: 'off' } : await checkName(context, request, username)
  const body = { username, problem: problem?.code ?? null }
  return Response.json(body, { headers: { 'cache-control': 'no-store' } })
}

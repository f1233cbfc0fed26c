import { foldUsername } from '#lib/account/person/login-name'
import { checkName, type SignUpChecks } from './sign-up-checks.ts'

/** GET /signup/check?username=: returns to the page's script whether the username being typed is free. */
export async function answerNameCheck(context: SignUpChecks, request: Request): Promise<Response> {
  const username = foldUsername((new URL(request.url).searchParams.get('username') ?? '').slice(0, 200))
  const isClosed = context.config.signup === 'off'
  const problem = isClosed ? { code: 'off' } : await checkName(context, request, username)
  const body = { username, problem: problem?.code ?? null }
  return Response.json(body, { headers: { 'cache-control': 'no-store' } })
}

import type { Context } from '#lib/server/compose/context'
import { type Credentials, checkPassword } from '#lib/sign-in/password/check-password'
import { beginTry } from './sign-in-try.ts'

type Try = { kind: 'right'; personId: string } | { kind: 'wrong' } | { kind: 'wait'; wait: number }

/** Checks a password after counting the try; `wait` when it was not looked at, or the next one will not be for so long. */
export async function tryPassword(
  context: Context,
  request: Request,
  { login, person, password, browser }: { login: string; person: Credentials; password: string; browser: string },
): Promise<Try> {
  const attempt = await beginTry(context, request, 'password', { typed: login, person, browser })
  if (attempt.wait() > 0) return { kind: 'wait', wait: attempt.wait() }
  const personId = await attempt.look(() => checkPassword(context.signIn, person, password.slice(0, 1000)))
  if (personId !== undefined) {
    await attempt.succeeded()
    return { kind: 'right', personId }
  }
  const wait = await attempt.failed()
  return wait > 0 ? { kind: 'wait', wait } : { kind: 'wrong' }
}

import type { SignInContext } from '#lib/sign-in/context'
import { type Credentials, checkPassword } from '#lib/sign-in/password/check-password'
import { beginAttempt } from './sign-in-throttle.ts'

type Outcome = { kind: 'right'; personId: string } | { kind: 'wrong' } | { kind: 'wait'; wait: number }

/** Counts an attempt, then checks the password; `wait` means that this attempt or the next one must wait so many seconds. */
export async function attemptPassword(
  context: SignInContext,
  request: Request,
  { login, person, password, browser }: { login: string; person: Credentials; password: string; browser: string },
): Promise<Outcome> {
  const attempt = await beginAttempt(context, request, 'password', { typed: login, person, browser })
  if (attempt.wait() > 0) return { kind: 'wait', wait: attempt.wait() }
  const personId = await attempt.look(() => checkPassword(context.signIn, person, password.slice(0, 1000)))
  if (personId !== undefined) {
    await attempt.succeeded()
    return { kind: 'right', personId }
  }
  const wait = await attempt.failed()
  return wait > 0 ? { kind: 'wait', wait } : { kind: 'wrong' }
}

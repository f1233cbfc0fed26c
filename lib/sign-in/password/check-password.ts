import type { SignInStore } from '#lib/account/signed-in/session'
import { dummyVerify, hashPassword, verifyPassword } from '#lib/crypto/password-hash'
import { isOverloaded } from '#lib/queue/fair-queue'
import type { SignInContext } from '#lib/sign-in/context'
import { beginAttempt } from '#lib/sign-in/throttle/sign-in-throttle'

/** The account that a login names, and its password hash. */
export type Credentials = Awaited<ReturnType<SignInStore['findCredentials']>>

/** Returns the person when the password is right; takes as long for a wrong password and for an unknown person. */
async function checkPassword(
  store: Pick<SignInStore, 'replacePasswordHash'>,
  known: Credentials,
  password: string,
): Promise<string | undefined> {
  if (!known?.passwordHash) {
    await dummyVerify(password)
    return undefined
  }
  const { ok, rehash } = await verifyPassword(password, known.passwordHash)
  if (!ok) return undefined
  if (rehash) await strengthen(store, known.personId, known.passwordHash, password)
  return known.personId
}

/** Stores a stronger hash; leaves that to a later sign-in when the queue for hashing is full. */
async function strengthen(
  store: Pick<SignInStore, 'replacePasswordHash'>,
  personId: string,
  old: string,
  password: string,
) {
  try {
    await store.replacePasswordHash(personId, old, await hashPassword(password))
  } catch (fault) {
    if (!isOverloaded(fault)) throw fault
  }
}

type Outcome = { kind: 'right'; personId: string } | { kind: 'wrong' } | { kind: 'wait'; wait: number }

/** Counts an attempt, then checks the password; `wait` holds the seconds that this attempt or the next must wait. */
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

import { foldUsername } from '#lib/account/person/login-name'
import type { Knowable, SignInStore } from '#lib/account/signed-in/session'
import { dummyVerify, hashPassword, verifyPassword } from '#lib/crypto/password-hash'
import { type Destination, destinationFields, receiveSignInForm } from '#lib/flow/destination'
import { browserOf } from '#lib/http/cookies'
import { type Flash, goAndSay } from '#lib/http/flash'
import type { PageForm } from '#lib/http/form'
import { pathWith } from '#lib/http/redirect'
import { isOverloaded } from '#lib/queue/fair-queue'
import { askSecondFactor } from '#lib/sign-in/second-factor/pending'
import { beginAttempt } from '#lib/sign-in/throttle/sign-in-throttle'
import type { SignInContext } from './context.ts'
import { establishSession, saidOfBrowser } from './establish-session.ts'

/** POST /signin/submit: username and password. */
export async function answerSignIn(context: SignInContext, request: Request): Promise<Response> {
  const received = await receiveSignInForm(context, request)
  if (received instanceof Response) return received
  const { form, destination } = received
  const username = form.get('username').slice(0, 200)
  const said = saidOfBrowser(form)
  const signIn = async ({ personId, knownVersion }: Knowable) => {
    if (await context.factors.hasTotp(personId))
      return askSecondFactor(context, request, destination, { personId, said })
    return establishSession(context, request, destination, { personId, knownVersion, amr: ['pwd'], ...said })
  }
  const checked = await checkForm(context, request, { username, password: form.get('password') }, signIn)
  return checked instanceof Response ? checked : askAgain(context, request, destination, form, checked)
}

type Problem = Flash['problems'][number]

async function askAgain(
  context: SignInContext,
  request: Request,
  destination: Destination,
  form: PageForm,
  problem: Problem,
) {
  const shared = saidOfBrowser(form).isShared && { shared: '1' }
  const kept = { username: form.get('username').slice(0, 200), ...shared }
  const flash = { form: 'signin', problems: [problem], kept }
  const fresh = form.get('fresh') === '1' ? '1' : undefined
  const page = pathWith('/signin', { ...destinationFields(destination), fresh })
  return goAndSay(context, request, page, flash)
}

async function checkForm(
  context: SignInContext,
  request: Request,
  { username, password }: { username: string; password: string },
  signIn: (person: Knowable) => Promise<Response>,
): Promise<Response | Problem> {
  if (username === '') return { field: 'username', code: 'username_missing' }
  if (password === '') return { field: 'password', code: 'password_missing' }
  const login = foldUsername(username)
  const person = await context.signIn.findCredentials(login, context.now())
  const browser = browserOf(context, request).hash
  const attempt = await attemptPassword(context, request, { login, person, password, browser }, signIn)
  switch (attempt.kind) {
    case 'right':
      return attempt.result
    case 'wait':
      return { code: 'wait', wait: attempt.wait }
    case 'wrong':
      return { field: 'username', code: 'wrong' }
  }
}

/** The account that a login names, and its password hash. */
type Credentials = Awaited<ReturnType<SignInStore['findCredentials']>>

/** Returns the person when the password is right; takes as long for a wrong password and for an unknown person. */
async function checkPassword(
  store: Pick<SignInStore, 'replacePasswordHash'>,
  known: Credentials,
  password: string,
): Promise<Knowable | undefined> {
  if (!known?.passwordHash) {
    await dummyVerify(password)
    return undefined
  }
  const { ok, rehash } = await verifyPassword(password, known.passwordHash)
  if (!ok) return undefined
  if (rehash) await strengthen(store, known.personId, known.passwordHash, password)
  return { personId: known.personId, knownVersion: known.knownVersion }
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

type Outcome<T> = { kind: 'right'; result: T } | { kind: 'wrong' } | { kind: 'wait'; wait: number }

/**
 * Counts an attempt, then checks the password; `wait` holds the seconds that this attempt or the next must wait. After the
 * right password, `onRight` runs at the same time as the counts are lowered again, so that SQLite commits both together.
 */
export async function attemptPassword<T>(
  context: SignInContext,
  request: Request,
  { login, person, password, browser }: { login: string; person: Credentials; password: string; browser: string },
  onRight: (person: Knowable) => Promise<T>,
): Promise<Outcome<T>> {
  const attempt = await beginAttempt(context, request, 'password', { typed: login, person, browser })
  if (attempt.wait() > 0) return { kind: 'wait', wait: attempt.wait() }
  const proven = await attempt.look(() => checkPassword(context.signIn, person, password.slice(0, 1000)))
  if (proven) {
    const [result] = await Promise.all([onRight(proven), attempt.succeeded()])
    return { kind: 'right', result }
  }
  const wait = await attempt.failed()
  return wait > 0 ? { kind: 'wait', wait } : { kind: 'wrong' }
}

import type { UndoableChange } from '#lib/account/email/store'
import { browserOf } from '#lib/http/cookies'
import type { FlashProblem } from '#lib/http/flash'
import type { PageForm } from '#lib/http/form'
import type { SignInContext } from '#lib/sign-in/context'
import { provePasskey } from '#lib/sign-in/passkey/passkey-sign-in'
import { beginFactorAttempt } from '#lib/sign-in/second-factor/factor-throttle'
import { type CodeKind, spendCode } from '#lib/sign-in/second-factor/spend-code'
import type { Ways } from '#lib/sign-in/second-factor/store'
import { attemptPassword } from '#lib/sign-in/sign-in-with-password'

/**
 * Checks the password, code or passkey of a form, and that the account had it before the change (issue "A product people
 * enjoy", item 14: "needs a factor that existed before the change"). Returns the problem, if any.
 */
export async function proveEarlierFactor(
  context: SignInContext,
  request: Request,
  form: PageForm,
  change: UndoableChange,
): Promise<FlashProblem | undefined> {
  const proven = await proveFactor(context, request, form, change)
  if ('code' in proven) return proven
  // Read after the proof, so that a factor that replaces an earlier one between the two reads does not count as earlier.
  if (isEarlier(proven.since(await context.factors.ways(change.personId)), change)) return undefined
  return { ...(proven.field && { field: proven.field }), code: 'too_new' }
}

const isEarlier = (since: Date | undefined, { changedAt }: UndoableChange) => since !== undefined && since < changedAt

/** A proven factor; `since` reads when the account got it, undefined if it is gone. */
type Proven = { field: 'password' | 'code' | undefined; since(ways: Ways): Date | undefined }

function proveFactor(
  context: SignInContext,
  request: Request,
  form: PageForm,
  change: UndoableChange,
): Promise<Proven | FlashProblem> {
  if (form.get('credential') !== '') return proveByPasskey(context, request, form, change)
  return form.get('by') === 'code'
    ? proveByCode(context, request, form, change)
    : proveByPassword(context, request, form, change)
}

async function proveByPassword(
  context: SignInContext,
  request: Request,
  form: PageForm,
  { personId, username: login }: UndoableChange,
): Promise<Proven | FlashProblem> {
  const field = 'password'
  const password = form.get('password')
  if (password === '') return { field, code: 'password_missing' }
  const person = await context.signIn.findCredentials(login, context.now())
  const browser = browserOf(context, request).hash
  const about = { login, person, password, browser }
  const attempt = await attemptPassword(context, request, about, async ({ personId }) => personId)
  if (attempt.kind === 'wait') return { code: 'wait', wait: attempt.wait }
  if (attempt.kind === 'wrong' || attempt.result !== personId) return { field, code: 'password_wrong' }
  // The time is unknown only for a password that is older than the column, and so than every change.
  return { field, since: ({ password: known }) => known && (known.setAt ?? new Date(0)) }
}

async function proveByCode(
  context: SignInContext,
  request: Request,
  form: PageForm,
  change: UndoableChange,
): Promise<Proven | FlashProblem> {
  const { personId } = change
  const field = 'code'
  const typed = form.get('code').slice(0, 60)
  if (typed.trim() === '') return { field, code: 'code_missing' }
  const attempt = await beginFactorAttempt(context, request, personId)
  if (attempt.wait() > 0) return { code: 'wait', wait: attempt.wait() }
  const isOld = async (kind: CodeKind) => isEarlier(sinceOf(kind, await context.factors.ways(personId)), change)
  const kind = await attempt.look(() => spendCode(context, request, personId, typed, isOld))
  // The attempt stays counted: the code is not spent, so that it could be posted without end.
  if (kind === 'not_accepted') return { field, code: 'too_new' }
  if (!kind) {
    const wait = await attempt.failed()
    return wait > 0 ? { code: 'wait', wait } : { field, code: 'code_wrong' }
  }
  await attempt.succeeded()
  return { field, since: (ways) => sinceOf(kind, ways) }
}

const sinceOf = (kind: CodeKind, { totpSince, codes }: Ways) => (kind === 'totp' ? totpSince : codes?.madeAt)

async function proveByPasskey(
  context: SignInContext,
  request: Request,
  form: PageForm,
  { personId }: UndoableChange,
): Promise<Proven | FlashProblem> {
  const proven = await provePasskey(context, request, form)
  if (typeof proven === 'string') return { code: proven }
  // Another person's passkey: the page answers as for an unknown one.
  if (proven.personId !== personId) return { code: 'passkey_unknown' }
  return { field: undefined, since: () => proven.since }
}

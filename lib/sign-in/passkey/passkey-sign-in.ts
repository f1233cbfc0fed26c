import { destinationFields, receiveSignInForm } from '#lib/flow/destination'
import { goAndSay } from '#lib/http/flash'
import type { PageForm } from '#lib/http/form'
import { pathWith } from '#lib/http/redirect'
import type { SignInContext } from '#lib/sign-in/context'
import { establishSession, type Proven, saidOfBrowser } from '#lib/sign-in/establish-session'
import { checkAssertion, claimedCredential, passkeyAmr } from './passkey.ts'
import { openChallenge, spendChallenge } from './passkey-challenge.ts'

/** POST /passkey/signin: signs in with a passkey's response. Failed passwords do not delay a passkey. */
export async function answerPasskeySignIn(context: SignInContext, request: Request): Promise<Response> {
  const received = await receiveSignInForm(context, request)
  if (received instanceof Response) return received
  const { form, destination } = received
  const proven = await provePasskey(context, request, form)
  if (typeof proven !== 'string') {
    const { personId, amr } = proven
    return establishSession(context, request, destination, { personId, amr, ...saidOfBrowser(form) })
  }
  const fresh = form.get('fresh') === '1' ? '1' : undefined
  const page = pathWith('/signin', { ...destinationFields(destination), fresh })
  return goAndSay(context, request, page, { form: 'signin', problems: [{ code: proven }], kept: {} })
}

type Problem = 'passkey_expired' | 'passkey_unknown' | 'passkey_refused'

/** Checks the response to our challenge; returns the passkey's owner and when it was added, or the code of the problem. */
export async function provePasskey(
  context: SignInContext,
  request: Request,
  form: PageForm,
): Promise<(Pick<Proven, 'personId' | 'amr'> & { since: Date }) | Problem> {
  const sent = form.get('credential')
  const challenge = await openChallenge(context, request, form.get('state'), 'signin')
  if (!challenge) return 'passkey_expired'
  const id = claimedCredential(sent)
  const passkey = id && (await context.factors.findPasskey(id, context.now()))
  if (!passkey) return 'passkey_unknown'
  const proof = await checkAssertion(context.config, challenge.challenge, sent, passkey)
  if (!proof) return 'passkey_refused'
  if (!(await spendChallenge(context, challenge))) return 'passkey_expired'
  const used = await context.factors.markPasskeyUsed(passkey.id, passkey.counter, { ...proof, now: context.now() })
  const { personId, createdAt: since } = passkey
  return used ? { personId, amr: passkeyAmr(proof), since } : 'passkey_refused'
}

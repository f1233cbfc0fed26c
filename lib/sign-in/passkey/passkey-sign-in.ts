import { carry, readDestination } from '#lib/flow/destination'
import { isFromOurPages } from '#lib/http/csrf'
import { goAndSay } from '#lib/http/flash'
import { readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { pathWith } from '#lib/http/redirect'
import type { Context } from '#lib/server/compose/context'
import { establishSession, type Proven } from '#lib/sign-in/establish-session'
import { checkAssertion, claimedCredential, passkeyAmr } from './passkey.ts'
import { openChallenge, spendChallenge } from './passkey-challenge.ts'

/** POST /passkey/signin: what a passkey has signed. No failure of anybody's at the password slows it down. */
export async function answerPasskeySignIn(context: Context, request: Request): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(request, context.config.accountUrl))
    return showProblem(context, { kind: 'not_from_here' })
  const destination = await readDestination(context, request, { request: form.get('request'), to: form.get('to') })
  if (destination instanceof Response) return destination
  const proven = await readProof(context, request, form.get('state'), form.get('credential'))
  if (typeof proven !== 'string') return establishSession(context, request, destination, proven)
  const again = form.get('fresh') === '1' ? '1' : undefined
  const page = pathWith('/signin', { ...carry(destination), fresh: again })
  return goAndSay(context, request, page, { form: 'signin', problems: [{ code: proven }], kept: {} })
}

/** Whose passkey answered our challenge; a problem's code when it is nobody's, too late, or used before. */
async function readProof(context: Context, request: Request, state: string, sent: string): Promise<Proven | Problem> {
  const told = await openChallenge(context, request, state, 'signin')
  if (!told) return 'passkey_expired'
  const id = claimedCredential(sent)
  const passkey = id && (await context.factors.findPasskey(id, context.now()))
  if (!passkey) return 'passkey_unknown'
  const proof = await checkAssertion(context.config, told.challenge, sent, passkey)
  if (!proof) return 'passkey_refused'
  if (!(await spendChallenge(context, told))) return 'passkey_expired'
  const used = await context.factors.markPasskeyUsed(passkey.id, passkey.counter, { ...proof, now: context.now() })
  return used ? { personId: passkey.personId, amr: passkeyAmr(proof) } : 'passkey_refused'
}

type Problem = 'passkey_expired' | 'passkey_unknown' | 'passkey_refused'

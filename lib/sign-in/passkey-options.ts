import { foldUsername } from '#lib/account/person/login-name'
import { currentSession } from '#lib/account/signed-in/session'
import { isFresh } from '#lib/account/signed-in/step-up'
import { isFromOurPages, type PageForm, readPageForm } from '#lib/http/form'
import { registrationOptions, signInOptions } from '#lib/sign-in/passkey/passkey'
import { makeChallenge } from '#lib/sign-in/passkey/passkey-challenge'
import { checkInvited, checkName, type SignUpChecks } from '#lib/sign-in/sign-up/sign-up-checks'
import type { FactorContext } from './context.ts'

type OptionsContext = FactorContext & SignUpChecks

/** POST /passkey/options: the WebAuthn options that the page's script passes to the browser; only for our own pages. */
export async function answerPasskeyOptions(context: OptionsContext, request: Request): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(context, request, 'headers')) return json({ problem: 'not_from_here' }, 403)
  switch (form.get('use')) {
    case 'signin':
      return forSignIn(context, request, form)
    case 'signup':
      return forSignUp(context, request, form)
    case 'add':
      return forAdding(context, request)
    default:
      return json({ problem: 'unknown' }, 400)
  }
}

/**
 * Offers every passkey of this site. A signed-in person who confirms the sign-in is offered only the passkeys of the
 * account, if it has any.
 */
async function forSignIn(context: OptionsContext, request: Request, form: PageForm): Promise<Response> {
  const { challenge, sealed, cookie } = await makeChallenge(context, request, { use: 'signin', personId: '' })
  const options = await signInOptions(context.config, challenge)
  const current = form.get('mine') === '1' && (await currentSession(context, request.headers.get('cookie')))
  const known = current ? (await context.factors.ways(current.person.id)).passkeys : []
  const allowCredentials = known.map(({ id, transports }) => ({ id, transports, type: 'public-key' }))
  return json({ state: sealed, options: { ...options, ...(known.length > 0 && { allowCredentials }) } }, 200, cookie)
}

async function forSignUp(context: OptionsContext, request: Request, form: PageForm): Promise<Response> {
  const username = foldUsername(form.get('username').slice(0, 200))
  const problem = (await checkInvited(context, form.get('invitation'))) ?? (await checkName(context, request, username))
  if (problem) return json({ problem: problem.code, field: problem.field })
  const personId = context.random(16).toString('base64url')
  const { challenge, sealed, cookie } = await makeChallenge(context, request, { use: 'signup', personId })
  const options = await registrationOptions(context.config, challenge, { personId, username, known: [] })
  return json({ state: sealed, options }, 200, cookie)
}

async function forAdding(context: OptionsContext, request: Request): Promise<Response> {
  const current = await currentSession(context, request.headers.get('cookie'))
  if (!current || !isFresh(current, context.now())) return json({ problem: 'not_fresh' }, 403)
  const { id: personId, username } = current.person
  const { passkeys: known } = await context.factors.ways(personId)
  const { challenge, sealed, cookie } = await makeChallenge(context, request, { use: 'add', personId })
  const options = await registrationOptions(context.config, challenge, { personId, username, known })
  return json({ state: sealed, options }, 200, cookie)
}

function json(body: object, status = 200, cookie?: string): Response {
  const headers = new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  if (cookie) headers.append('set-cookie', cookie)
  return new Response(JSON.stringify(body), { status, headers })
}

import { foldUsername } from '#lib/account/person/username'
import { carry, type Destination, goBack, readDestination } from '#lib/flow/destination'
import { wishedLanguages } from '#lib/flow/interaction'
import { browserOf } from '#lib/http/browser-id'
import { isFromOurPages } from '#lib/http/csrf'
import { type Flash, goAndSay } from '#lib/http/flash'
import { readPageForm } from '#lib/http/form'
import { showProblem } from '#lib/http/problem-page'
import { pathWith } from '#lib/http/redirect'
import type { Context } from '#lib/server/compose/context'
import { askSecondFactor } from '#lib/sign-in/second-factor/ask-second-factor'
import { tryPassword } from '#lib/sign-in/throttle/try-password'
import { establishSession } from './establish-session.ts'

/** POST /signin/submit: username and password, or cancel. */
export async function answerSignIn(context: Context, request: Request): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(request, context.config.accountUrl))
    return showProblem(context, { kind: 'not_from_here' })
  const destination = await readDestination(context, request, { request: form.get('request'), to: form.get('to') })
  if (destination instanceof Response) return destination
  if (form.get('action') === 'cancel') return goBack(context, destination)
  const username = form.get('username').slice(0, 200)
  // A browser that keeps an id gets its own slips forgiven once the person signs in.
  const { hash: browser } = browserOf(context, request)
  const attempt = await readAttempt(context, request, { username, password: form.get('password'), browser })
  if (attempt.kind === 'refused')
    return askAgain(context, request, destination, { username, fresh: form.get('fresh') }, attempt.problem)
  const { personId } = attempt
  if (await context.factors.hasTotp(personId)) return askSecondFactor(context, request, destination, personId)
  return establishSession(context, request, destination, { personId, amr: ['pwd'] })
}

type Problem = Flash['problems'][number]
type Attempt = { kind: 'right'; personId: string } | { kind: 'refused'; problem: Problem }

async function askAgain(
  context: Context,
  request: Request,
  destination: Destination,
  { username, fresh }: { username: string; fresh: string },
  problem: Problem,
) {
  const flash = { form: 'signin', problems: [problem], kept: { username } }
  const languages = destination.kind === 'app' ? wishedLanguages(request, destination.interaction) : undefined
  const again = { ...carry(destination), fresh: fresh === '1' ? '1' : undefined, ui_locales: languages }
  return goAndSay(context, request, pathWith('/signin', again), flash)
}

async function readAttempt(
  context: Context,
  request: Request,
  { username, password, browser }: { username: string; password: string; browser: string },
): Promise<Attempt> {
  const refused = (code: string, more = {}): Attempt => ({ kind: 'refused', problem: { code, ...more } })
  if (username === '') return refused('username_missing', { field: 'username' })
  if (password === '') return refused('password_missing', { field: 'password' })
  const login = foldUsername(username)
  const person = await context.signIn.findCredentials(login, context.now())
  const attempt = await tryPassword(context, request, { login, person, password, browser })
  switch (attempt.kind) {
    case 'right':
      return attempt
    case 'wait':
      return refused('wait', { wait: attempt.wait })
    case 'wrong':
      return refused('wrong', { field: 'username' })
  }
}

import { checkPassword, foldUsername } from '#lib/account/sign-in'
import type { Context } from '#lib/context'
import { pathWith } from './answer.ts'
import { carry, type Destination, goBack, readDestination } from './destination.ts'
import { establishSession } from './establish-session.ts'
import { type Flash, goAndSay } from './flash.ts'
import { readPageForm } from './form.ts'
import { showProblem } from './problem-page.ts'
import { isFromOurPages } from './same-origin.ts'
import { askSecondFactor } from './second-factor.ts'
import { beginTry } from './sign-in-try.ts'
import { wishedLanguages } from './traveller.ts'

/** POST /signin/submit: username and password, or cancel. */
export async function answerSignIn(context: Context, request: Request): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(request, context.config.accountUrl))
    return showProblem(context, { kind: 'not_from_here' })
  const destination = await readDestination(context, request, { request: form.get('request'), to: form.get('to') })
  if (destination instanceof Response) return destination
  if (form.get('action') === 'cancel') return goBack(context, destination)
  const username = form.get('username').slice(0, 200)
  const attempt = await tryPassword(context, request, username, form.get('password'))
  if (attempt.kind === 'refused')
    return askAgain(context, request, destination, { username, fresh: form.get('fresh') }, attempt.problem)
  const { personId } = attempt
  if (await context.factors.hasTotp(personId)) return askSecondFactor(context, destination, personId)
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
  const languages = destination.kind === 'app' ? wishedLanguages(request, destination.traveller) : undefined
  const again = { ...carry(destination), fresh: fresh === '1' ? '1' : undefined, ui_locales: languages }
  return goAndSay(context, pathWith('/signin', again), flash)
}

async function tryPassword(context: Context, request: Request, username: string, password: string): Promise<Attempt> {
  const refused = (code: string, more = {}): Attempt => ({ kind: 'refused', problem: { code, ...more } })
  if (username === '') return refused('username_missing', { field: 'username' })
  if (password === '') return refused('password_missing', { field: 'password' })
  const login = foldUsername(username)
  const known = await context.signIn.findCredentials(login, context.now())
  const { wait, failed, succeeded } = await beginTry(context, request, { typed: login, personId: known?.personId })
  if (wait > 0) return refused('wait', { wait })
  const personId = await checkPassword(context.signIn, known, password.slice(0, 1000))
  if (personId !== undefined) {
    await succeeded()
    return { kind: 'right', personId }
  }
  const next = await failed()
  return next > 0 ? refused('wait', { wait: next }) : refused('wrong', { field: 'username' })
}

import { foldUsername } from '#lib/account/person/username'
import { type Destination, destinationFields, receiveSignInForm } from '#lib/flow/destination'
import { wishedLanguages } from '#lib/flow/interaction'
import { browserOf } from '#lib/http/cookies'
import { type Flash, goAndSay } from '#lib/http/flash'
import type { PageForm } from '#lib/http/form'
import { pathWith } from '#lib/http/redirect'
import { attemptPassword } from '#lib/sign-in/password/check-password'
import { askSecondFactor } from '#lib/sign-in/second-factor/pending'
import type { SignInContext } from './context.ts'
import { establishSession } from './establish-session.ts'

/** POST /signin/submit: username and password. */
export async function answerSignIn(context: SignInContext, request: Request): Promise<Response> {
  const received = await receiveSignInForm(context, request)
  if (received instanceof Response) return received
  const { form, destination } = received
  const username = form.get('username').slice(0, 200)
  const checked = await checkForm(context, request, { username, password: form.get('password') })
  if ('problem' in checked) return askAgain(context, request, destination, form, checked.problem)
  const { personId } = checked
  if (await context.factors.hasTotp(personId)) return askSecondFactor(context, request, destination, { personId })
  return establishSession(context, request, destination, { personId, amr: ['pwd'] })
}

type Problem = Flash['problems'][number]

async function askAgain(
  context: SignInContext,
  request: Request,
  destination: Destination,
  form: PageForm,
  problem: Problem,
) {
  const flash = { form: 'signin', problems: [problem], kept: { username: form.get('username').slice(0, 200) } }
  const languages = destination.kind === 'app' ? wishedLanguages(request, destination.interaction) : undefined
  const fresh = form.get('fresh') === '1' ? '1' : undefined
  const page = pathWith('/signin', { ...destinationFields(destination), fresh, ui_locales: languages })
  return goAndSay(context, request, page, flash)
}

async function checkForm(
  context: SignInContext,
  request: Request,
  { username, password }: { username: string; password: string },
): Promise<{ personId: string } | { problem: Problem }> {
  if (username === '') return { problem: { field: 'username', code: 'username_missing' } }
  if (password === '') return { problem: { field: 'password', code: 'password_missing' } }
  const login = foldUsername(username)
  const person = await context.signIn.findCredentials(login, context.now())
  const browser = browserOf(context, request).hash
  const attempt = await attemptPassword(context, request, { login, person, password, browser })
  switch (attempt.kind) {
    case 'right':
      return attempt
    case 'wait':
      return { problem: { code: 'wait', wait: attempt.wait } }
    case 'wrong':
      return { problem: { field: 'username', code: 'wrong' } }
  }
}

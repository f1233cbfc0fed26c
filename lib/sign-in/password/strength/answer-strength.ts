import { addressFrom } from '#lib/account/activity/activity'
import { goAndSay } from '#lib/http/flash'
import { isFromOurPages, readPageForm } from '#lib/http/form'
import { localPath } from '#lib/http/redirect'
import type { Site } from '#lib/http/site'
import { type PasswordProblem, passwordProblem } from '#lib/sign-in/password/password-problem'
import type { EstimateStrength } from './estimate-strength.ts'

/** The parts that the estimate needs. */
export type StrengthContext = Site & {
  estimateStrength: EstimateStrength
  strengthLimit: { fail(address: string): Promise<number> }
}

/** What the page says about the password being typed: why it would be refused, or how strong it is. */
export type Strength = Exclude<PasswordProblem, 'missing'> | 'weak' | 'fair' | 'good' | 'strong'

const strengths = ['weak', 'weak', 'fair', 'good', 'strong'] as const

/**
 * POST /password/strength: returns to the page's script how strong the password being typed is; null when that is not
 * known. The password is in the body, so no URL and no log contains it, and nothing keeps it.
 */
export async function answerStrength(context: StrengthContext, request: Request): Promise<Response> {
  const form = await readPageForm(request)
  if (!form || !isFromOurPages(context, request, 'headers')) return json({ problem: 'not_from_here' }, 403)
  const [password, username] = [form.get('password').slice(0, 1000), form.get('username').slice(0, 200)]
  const names = [username, context.config.serviceName]
  const strength = await judge(context, request, password, names)
  // Without a script, a button of the form asks, and the page shows the answer.
  if (form.get('page') === '') return json({ strength: strength ?? null })
  const page = localPath(form.get('page'))
  const path = page.replace(/[?#].*/, '')
  const name = Object.hasOwn(pages, path) ? pages[path] : undefined
  if (name === undefined) return json({ problem: 'unknown_page' }, 400)
  const kept = { username, invitation: form.get('invitation').slice(0, 200), ...(strength && { strength }) }
  return goAndSay(context, request, page, { form: name, problems: [], kept })
}

/** The pages with a new password, and the name of the form of each. */
const pages: Record<string, string> = {
  '/signup': 'signup',
  '/recover/password': 'recover-password',
  '/account/security/password': 'security-password',
}

async function judge(
  context: StrengthContext,
  request: Request,
  password: string,
  names: string[],
): Promise<Strength | undefined> {
  const problem = passwordProblem(password, ...names)
  if (problem) return problem === 'missing' ? undefined : problem
  if ((await context.strengthLimit.fail(addressFrom(request))) > 0) return undefined
  return strengthOf(context, password, names)
}

/** Returns how strong a permitted password is; undefined when that is not known. */
export async function strengthOf(
  { estimateStrength }: Pick<StrengthContext, 'estimateStrength'>,
  password: string,
  names: string[],
): Promise<Strength | undefined> {
  const score = await estimateStrength(password, names)
  return score === undefined ? undefined : strengths[score]
}

const json = (body: object, status = 200): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store' } })

import { addressFrom } from '#lib/account/activity/activity'
import { isFromOurPages, readPageForm } from '#lib/http/form'
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
  const problem = passwordProblem(password, ...names)
  if (problem) return json({ strength: problem === 'missing' ? null : problem })
  if ((await context.strengthLimit.fail(addressFrom(request))) > 0) return json({ strength: null })
  return json({ strength: (await strengthOf(context, password, names)) ?? null })
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

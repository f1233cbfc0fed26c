import { openSealed, sealBytes } from '#lib/crypto/seal'
import { goTo, pathWith } from './redirect.ts'
import type { Site } from './site.ts'

/** What the error page says, sealed so that nobody can put words on it; the page answers with this status. */
export type Problem = {
  kind: ProblemKind
  app?: string
  /** Where "back to the app" leads, with a real OAuth answer. */
  back?: string
}

export type ProblemKind = (typeof problemKinds)[number]

export const problemKinds = [
  'unknown_client',
  'bad_redirect_uri',
  'bad_request',
  'unreadable_request',
  'other_browser',
  'expired_request',
  'already_finished',
  'not_from_here',
  'app_gone',
] as const

/** Room for a way back whose state is as long as it may be, in any script. */
const longestProblem = 14 * 1024
const visibleFor = 24 * 3600 * 1000

/** Sends the person to the error page. */
export async function showProblem(site: Site, problem: Problem): Promise<Response> {
  const told = Buffer.from(JSON.stringify({ ...problem, at: site.now().getTime() }))
  const sealed = await sealBytes(site.secrets.current('seal-problem'), told)
  return goTo(pathWith(`${site.config.accountUrl}/error`, { e: sealed }))
}

/** What a sealed problem says; undefined for what is not ours or too old to mean anything. */
export async function openProblem(site: Site, sealed: string): Promise<Problem | undefined> {
  const bytes = sealed.length <= longestProblem ? await openSealed(site.secrets.all('seal-problem'), sealed) : undefined
  if (!bytes) return undefined
  const { at, ...problem } = JSON.parse(Buffer.from(bytes).toString('utf8')) as Problem & { at: number }
  return site.now().getTime() - at < visibleFor ? problem : undefined
}

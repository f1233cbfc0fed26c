import type { ConsoleContext } from '#lib/console/context'

/** The days for which the pages of an app or an API show a refusal; the activity of the team keeps it longer. */
const shownDays = 30

/** Scopes that an operator refused, and the reason. */
export type ScopeRefusal = { scopes: string[]; reason: string }

type Asking = { target: string; scopes: readonly string[]; waitingScopes: readonly string[] }

/** Returns the last refusal, without scopes that the team has asked for again, or that are allowed now. */
export async function findRefusal(
  { acts, now }: Pick<ConsoleContext, 'acts' | 'now'>,
  teamId: string,
  { target, scopes, waitingScopes }: Asking,
): Promise<ScopeRefusal | undefined> {
  const act = await acts.lastRefusal(teamId, target, new Date(now().getTime() - shownDays * 86_400_000))
  const refused = (act?.after.scopes ?? '').split(' ').filter(Boolean)
  const left = refused.filter((scope) => !scopes.includes(scope) && !waitingScopes.includes(scope))
  return left.length > 0 ? { scopes: left, reason: act?.after.reason ?? '' } : undefined
}

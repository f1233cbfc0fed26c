import type { UsageRow } from '#lib/console/usage/store'
import type { Freshness } from '#lib/oauth/usage'

/** What requests of an app showed, as sums of its counts. */
export type Seen = {
  signIns: number
  pkce: number
  noPkce: number
  repeatedPkce: number
  state: Record<Freshness, number>
  nonce: Record<Freshness, number>
  /** How often each scope was granted. */
  scopes: ReadonlyMap<string, number>
  refreshes: number
  earlyRefreshes: number
  repeatedRefreshes: number
  replayedRefreshes: number
}

/** Adds up the counts of all days. */
export function seenIn(rows: readonly UsageRow[]): Seen {
  const sums = new Map<string, number>()
  for (const { what, count } of rows) sums.set(what, (sums.get(what) ?? 0) + count)
  const of = (what: string) => sums.get(what) ?? 0
  const freshness = (name: string) => ({
    absent: of(`${name} absent`),
    repeated: of(`${name} repeated`),
    weak: of(`${name} weak`),
    fair: of(`${name} fair`),
    strong: of(`${name} strong`),
  })
  const granted = [...sums].filter(([what]) => what.startsWith('scope '))
  return {
    signIns: of('sign_ins'),
    pkce: of('pkce'),
    noPkce: of('no_pkce'),
    repeatedPkce: of('repeated_pkce'),
    state: freshness('state'),
    nonce: freshness('nonce'),
    scopes: new Map(granted.map(([what, count]) => [what.slice('scope '.length), count])),
    refreshes: of('refreshes'),
    earlyRefreshes: of('early_refreshes'),
    repeatedRefreshes: of('repeated_refreshes'),
    replayedRefreshes: of('replayed_refreshes'),
  }
}

/** Returns how many requests were completed. */
export const completed = ({ pkce, noPkce, repeatedPkce }: Seen): number => pkce + noPkce + repeatedPkce

/** Returns whether something happened in more than a tenth of the cases, and not once or twice. */
export const isFrequent = (count: number, all: number): boolean => count >= 3 && count > all / 10

/** Returns a share in whole percent; at least 1 if there is any. */
export const percent = (count: number, all: number): number =>
  count === 0 || all === 0 ? 0 : Math.max(1, Math.round((count / all) * 100))

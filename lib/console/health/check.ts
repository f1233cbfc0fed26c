import type { TeamApp } from '#lib/console/app/store'
import type { Rule } from './rules.ts'

/** `unseen`: nothing was counted yet that would decide it. */
export const grades = ['mend', 'look', 'unseen', 'good'] as const
export type Grade = (typeof grades)[number]

/** The app as far as its health depends on its registration. */
export type HealthApp = Pick<TeamApp, 'kind' | 'profile' | 'scopes' | 'declaration' | 'secrets' | 'keys'>

export type Verdict = { grade: Grade; rule: Rule }

/** What was found about one subject, as the key of a sentence with its values, and the grade by each standard. */
export type Check = {
  subject:
    | 'redirects'
    | 'profile'
    | 'authentication'
    | 'secrets'
    | 'keys'
    | 'tokens'
    | 'scopes'
    | 'refresh'
    | 'pkce'
    | 'state'
    | 'nonce'
  found: string
  values: Record<string, string | number>
  verdicts: Verdict[]
  /** The page of the console that changes it; undefined if the code of the app has to change. */
  page: 'settings' | 'credentials' | 'new-app' | undefined
}

/** Returns one verdict for each rule, all with this grade. */
export const by = (grade: Grade, ...given: Rule[]): Verdict[] => given.map((rule) => ({ grade, rule }))

/** Returns the worst grade; `unseen` counts only if there is no other. */
export function worst(given: readonly Grade[]): Grade {
  return (['mend', 'look', 'good'] as const).find((grade) => given.includes(grade)) ?? 'unseen'
}

import type { UsageStore } from '#lib/console/usage/store'
import { type Check, type Grade, grades, type HealthApp, worst } from './check.ts'
import {
  checkAuthentication,
  checkKeys,
  checkProfile,
  checkRedirects,
  checkSecrets,
  checkTokens,
} from './registered-checks.ts'
import { type Standard, standards } from './rules.ts'
import { type Seen, seenIn } from './seen.ts'
import { checkPkce, checkRefresh, checkScopes, checkValue } from './seen-checks.ts'

export type GradedCheck = Check & { grade: Grade }
/** The grade by each standard, and the checks, those that need work first. */
export type HealthReport = { grades: Record<Standard, Grade>; checks: GradedCheck[] }

/** Grades an app by OAuth 2.1, RFC 9700 and the FAPI 2.0 Security Profile. */
export function assess(app: HealthApp, seen: Seen, now: Date): HealthReport {
  const checks = [
    checkRedirects(app),
    checkProfile(app),
    checkAuthentication(app),
    checkSecrets(app, now),
    checkKeys(app, now),
    checkTokens(app),
    checkScopes(app, seen),
    checkRefresh(app, seen),
    checkPkce(app, seen),
    checkValue('state', app, seen),
    checkValue('nonce', app, seen),
  ].filter((check) => check !== undefined)
  const graded = checks.map((check) => ({ ...check, grade: gradeOf(check, app) }))
  return {
    grades: Object.fromEntries(
      standards.map((standard) => [standard, gradeBy(standard, checks)]),
    ) as HealthReport['grades'],
    checks: graded.toSorted((one, other) => grades.indexOf(one.grade) - grades.indexOf(other.grade)),
  }
}

/** An app that does not have the profile of FAPI 2.0 need not meet it. */
const gradeOf = ({ verdicts }: Check, { profile }: HealthApp): Grade =>
  worst(verdicts.filter(({ rule }) => profile === 'fapi2' || rule.standard !== 'fapi2').map(({ grade }) => grade))

const gradeBy = (standard: Standard, checks: Check[]): Grade =>
  worst(
    checks
      .flatMap(({ verdicts }) => verdicts.filter(({ rule }) => rule.standard === standard))
      .map(({ grade }) => grade),
  )

/** Days whose requests count for the report. */
export const healthDays = 30

/** Reads what an app showed lately, and grades it. */
export async function readHealth(
  { appUsage, now }: { appUsage: UsageStore; now(): Date },
  app: HealthApp & { id: string },
): Promise<HealthReport> {
  const time = now()
  return assess(app, seenIn(await appUsage.read(app.id, new Date(time.getTime() - healthDays * 86_400_000))), time)
}

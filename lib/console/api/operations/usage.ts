import { z } from 'zod'
import { appOf, operation } from '#lib/console/api/operation'
import { readHealth } from '#lib/console/health/assess'
import { grades } from '#lib/console/health/check'
import { addressOf, standards } from '#lib/console/health/rules'
import { readUsage, usageCounts } from '#lib/console/usage/read-usage'
import { oneOf } from '#lib/text/text-rules'

const grade = z.enum(grades)
const standard = z.enum(standards)

/** What happened to an app, and how it does by the standards. */
export const usageOperations = [
  operation({
    id: 'readUsage',
    method: 'GET',
    path: '/apps/{app}/usage',
    action: 'usage.read',
    summary: 'Returns the counts of each of the last 30 or 365 days (UTC), the latest day last',
    query: z.strictObject({ days: oneOf(['30', '365']).default('30') }),
    answer: {
      status: 200,
      schema: z.object({
        days: z.array(
          z.object({ day: z.iso.date(), ...Object.fromEntries(usageCounts.map((what) => [what, z.int()])) }),
        ),
      }),
    },
    async run(call) {
      const { app } = await appOf(call)
      const days = await readUsage(call.context, app.id, call.query.days === '365' ? 365 : 30)
      return { body: { days: days.map(({ from, counts }) => ({ day: from.toISOString().slice(0, 10), ...counts })) } }
    },
  }),
  operation({
    id: 'readHealth',
    method: 'GET',
    path: '/apps/{app}/health',
    action: 'health.read',
    summary: 'Grades the app by OAuth 2.1, RFC 9700 and FAPI 2.0, from its registration and the requests of 30 days',
    answer: {
      status: 200,
      schema: z.object({
        grades: z.record(standard, grade),
        checks: z.array(
          z.object({
            subject: z.string(),
            found: z.string(),
            grade,
            values: z.record(z.string(), z.union([z.string(), z.number()])),
            rules: z.array(z.object({ standard, section: z.string(), text: z.string(), url: z.url(), grade })),
          }),
        ),
      }),
    },
    async run(call) {
      const { app } = await appOf(call)
      const report = await readHealth(call.context, app)
      const checks = report.checks.map(({ verdicts, page: _, ...check }) => ({
        ...check,
        rules: verdicts.map((verdict) => ({ ...verdict.rule, url: addressOf(verdict.rule), grade: verdict.grade })),
      }))
      return { body: { grades: report.grades, checks } }
    },
  }),
]

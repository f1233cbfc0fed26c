import { z } from 'zod'
import { appOf, operation } from '#lib/console/api/operation'
import { listOf, page, time } from '#lib/console/api/schemas'
import { explainFailure } from '#lib/console/failures/explain'
import type { Failure, FailurePlace } from '#lib/console/failures/failure'
import { docsPage } from '#lib/console/paths'

const failure = z.object({
  id: z.string(),
  endpoint: z.string(),
  code: z.string(),
  reason: z.string(),
  /** The section of the docs that mends it. */
  docs: z.url(),
  detail: z.record(z.string(), z.unknown()),
  count: z.int(),
  merged: z.boolean(),
  first_at: time,
  last_at: time,
})

/** The recent failures of an app. */
export const failureOperations = [
  operation({
    id: 'listFailures',
    method: 'GET',
    path: '/apps/{app}/failures',
    action: 'failures.read',
    summary: 'Lists the refused requests of the last seven days with their exact causes, the newest first',
    query: page.extend({ endpoint: z.string().max(100).optional() }),
    answer: { status: 200, schema: listOf(failure) },
    async run(call) {
      const { after, limit, endpoint } = call.query
      const { app } = await appOf(call)
      const query = { endpoint, after: after === undefined ? undefined : placeOf(after), most: limit + 1 }
      const failures = await call.context.failures.list(app.id, query)
      const last = failures[limit - 1]
      const next = failures.length > limit && last ? `${last.lastAt.toISOString()} ${last.id}` : null
      return { body: { items: failures.slice(0, limit).map((one) => shown(one, call.context.config)), next } }
    },
  }),
]

/** Returns the place that a cursor names; any other text means the end of the list. */
function placeOf(cursor: string): FailurePlace {
  const [at = '', id = ''] = cursor.split(' ')
  const lastAt = new Date(at)
  return { id, lastAt: Number.isNaN(lastAt.getTime()) ? new Date(0) : lastAt }
}

const shown = ({ firstAt, lastAt, isMerged, ...failed }: Failure, { accountUrl }: { accountUrl: string }) => ({
  ...failed,
  docs: `${accountUrl}${docsPage(explainFailure(failed).docs)}`,
  merged: isMerged,
  first_at: firstAt,
  last_at: lastAt,
})

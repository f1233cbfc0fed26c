import { z } from 'zod'
import { appOf, operation } from '#lib/console/api/operation'
import { refusedAct } from '#lib/console/api/problem'
import { listOf, page } from '#lib/console/api/schemas'
import { openSubMap } from '#lib/console/transfer/sub-map'

/** What a team reads about an app that came from another team. */
export const transferOperations = [
  operation({
    id: 'listMovedSubjects',
    method: 'GET',
    path: '/apps/{app}/sub-map',
    action: 'app.sub_map',
    summary: 'Lists the old and the new sub of each person, for 60 days after the app came from another team',
    query: page,
    answer: { status: 200, schema: listOf(z.object({ old_sub: z.string(), new_sub: z.string() })) },
    async run(call) {
      const { after = '', limit } = call.query
      const by = await appOf(call)
      const opened = await openSubMap(call.context, by, { isFirstPage: after === '' })
      if ('problems' in opened) throw refusedAct(opened.problems)
      const rows = await call.context.transfers.readMap(opened.id, after, limit + 1)
      const items = rows.slice(0, limit)
      return { body: { items, next: rows.length > limit ? items.at(-1)?.old_sub : null } }
    },
  }),
]

import type { Acted, AppAuthor } from '#lib/console/acted'
import type { ConsoleContext } from '#lib/console/context'
import { appPage } from '#lib/console/paths'
import { actOf, answerTeamForm } from '#lib/console/team-form'
import type { PageForm } from '#lib/http/form'
import type { MovedSubject, TransferStore } from './store.ts'

/** POST /console/app/sub-map: returns the old and the new identifier of every person, as CSV or JSON. */
export const answerSubMap = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerTeamForm(
    context,
    request,
    { form: 'app', page: (teamId, form) => appPage(teamId, appIn(form)), action: 'app.sub_map' },
    async (submission) => {
      const { form, team } = submission
      const app = await context.teamApps.find(appIn(form))
      // The page of another team's app answers 404.
      if (app?.teamId !== team.id) return { problems: [] }
      const opened = await openSubMap(context, { ...submission, app })
      if ('problems' in opened) return opened
      const format = form.get('format') === 'json' ? 'json' : 'csv'
      return { answer: file(`sub-map-${app.id}.${format}`, format, subMap(context, opened.id, format)) }
    },
  )

/**
 * Returns the transfer whose map the team may read, and writes the act. A reading page by page begins anywhere, so pages are
 * an act once an hour for each reader.
 */
export async function openSubMap(
  context: ConsoleContext,
  by: AppAuthor,
  { isPage = false } = {},
): Promise<Acted<{ id: string }>> {
  const { app, team } = by
  const arrival = await context.transfers.findArrival(app.id, team.id, context.now())
  if (!arrival) return { problems: [{ code: 'map_over' }] }
  if (!arrival.settledAt) return { problems: [{ code: 'app_moving' }] }
  const act = actOf({ context, ...by }, 'sub_map_read', { target: app.id })
  await context.transfers.noteRead(team.id, act, isPage ? new Date(act.at.getTime() - 3_600_000) : undefined)
  return { done: 'map', id: arrival.id }
}

/** The rows of one read. */
const page = 500

/** Returns the map as text, page by page; a slow reader slows the reading down. */
function subMap({ transfers }: { transfers: TransferStore }, transferId: string, format: 'csv' | 'json') {
  const written = writers[format]
  let after = ''
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes(written.head)),
    async pull(controller) {
      const rows = await transfers.readMap(transferId, after, page)
      const isFirst = after === ''
      after = rows.at(-1)?.old_sub ?? after
      if (rows.length > 0)
        controller.enqueue(bytes((isFirst ? '' : written.between) + rows.map(written.row).join(written.between)))
      if (rows.length === page) return
      controller.enqueue(bytes(written.foot))
      controller.close()
    },
  })
}

/** Identifiers are base64url, so CSV needs no quotes. */
const writers = {
  csv: {
    head: 'old_sub,new_sub\r\n',
    row: ({ old_sub, new_sub }: MovedSubject) => `${old_sub},${new_sub}\r\n`,
    between: '',
    foot: '',
  },
  json: { head: '[', row: (row: MovedSubject) => JSON.stringify(row), between: ',\n', foot: ']\n' },
} as const

const bytes = (text: string) => new TextEncoder().encode(text)

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const

/** The name needs no quoting: a client_id contains only characters that are valid in file names. */
const file = (name: string, format: 'csv' | 'json', body: ReadableStream<Uint8Array>) =>
  new Response(body, {
    headers: {
      'content-type': types[format],
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  })

const appIn = (form: PageForm): string => form.get('app').slice(0, 64)

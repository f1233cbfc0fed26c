import { z } from 'zod'
import { appOf, type Call, operation } from '#lib/console/api/operation'
import { notFound, refusedAct } from '#lib/console/api/problem'
import { listOf, page, time } from '#lib/console/api/schemas'
import { withdrawOffer } from '#lib/console/transfer/offer-app'
import { declineOffer } from '#lib/console/transfer/receive-app'
import type { AppOffer } from '#lib/console/transfer/store'
import { openSubMap } from '#lib/console/transfer/sub-map'

const offer = z.object({
  id: z.string(),
  app: z.object({ client_id: z.string(), name: z.string(), kind: z.string() }),
  from: z.object({ id: z.string(), name: z.string() }),
  to: z.object({ id: z.string(), name: z.string() }),
  created_at: time,
  expires_at: time,
})

/** The most offers to a team that one answer lists; the newest come first. */
const mostListed = 100

/**
 * Apps that one team offers to another, and what the receiving team reads about one that it took. To offer and to accept
 * needs a person who has just signed in (decision 0053).
 */
export const transferOperations = [
  operation({
    id: 'getOffer',
    method: 'GET',
    path: '/apps/{app}/offer',
    action: 'offers.read',
    summary: 'Returns the open offer of an app to another team',
    answer: { status: 200, schema: offer },
    run: async (call) => ({ body: shown(await openOfferOf(call)) }),
  }),
  operation({
    id: 'withdrawOffer',
    method: 'DELETE',
    path: '/apps/{app}/offer',
    action: 'offers.end',
    summary: 'Withdraws the open offer of an app',
    async run(call) {
      const { id } = await openOfferOf(call)
      const withdrawn = await withdrawOffer(call.context, call.by, { offer: id })
      if ('problems' in withdrawn) throw refusedAct(withdrawn.problems)
      return {}
    },
  }),
  operation({
    id: 'listOffers',
    method: 'GET',
    path: '/offers',
    action: 'offers.read',
    summary: 'Lists the open offers of other teams, the newest first',
    answer: { status: 200, schema: z.object({ items: z.array(offer) }) },
    async run({ context, by }) {
      const offers = await context.transfers.listReceived(by.team.id, context.now(), mostListed)
      return { body: { items: offers.map(shown) } }
    },
  }),
  operation({
    id: 'declineOffer',
    method: 'DELETE',
    path: '/offers/{offer}',
    action: 'offers.end',
    summary: 'Declines an offer of another team',
    async run({ context, by, path }) {
      const found = await context.transfers.findReceived(by.team.id, path.offer ?? '', context.now())
      if (!found) throw notFound()
      const declined = await declineOffer(context, by, { offer: found.id })
      if ('problems' in declined) throw refusedAct(declined.problems)
      return {}
    },
  }),
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
      const opened = await openSubMap(call.context, by, { isPage: true })
      if ('problems' in opened) throw refusedAct(opened.problems)
      const rows = await call.context.transfers.readMap(opened.id, after, limit + 1)
      const items = rows.slice(0, limit)
      return { body: { items, next: rows.length > limit ? items.at(-1)?.old_sub : null } }
    },
  }),
]

/** Returns the open offer of the app in the path. */
async function openOfferOf(call: Call<unknown, unknown>): Promise<AppOffer> {
  const { app } = await appOf(call)
  const open = await call.context.transfers.findOpen(app.id, call.context.now())
  if (!open) throw notFound()
  return open
}

const shown = ({ id, app: { id: clientId, ...app }, from, to, createdAt, expiresAt }: AppOffer) => ({
  ...{ id, from, to },
  app: { client_id: clientId, ...app },
  created_at: createdAt,
  expires_at: expiresAt,
})

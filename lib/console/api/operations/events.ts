import { z } from 'zod'
import type { Acted, AppAuthor } from '#lib/console/acted'
import { appOf, type Call, operation } from '#lib/console/api/operation'
import { notFound, refusedAct } from '#lib/console/api/problem'
import { listOf, page, time } from '#lib/console/api/schemas'
import type { ConsoleContext } from '#lib/console/context'
import { pauseReceiver, replayEvents, verifyReceiver } from '#lib/console/events/deliveries'
import { receiverFields, removeReceiver, setReceiver } from '#lib/console/events/receiver'
import { text } from '#lib/text/text-rules'

const receiver = z.object({
  receiver: z.string(),
  /** Whether a value of the header Authorization is stored; no answer shows it. */
  has_authorization: z.boolean(),
  created_at: time,
  paused_at: time.nullable(),
})

const event = z.object({
  jti: z.string(),
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'rejected', 'given_up']),
  attempts: z.int(),
  created_at: time,
  tried_at: time.nullable(),
  next_at: time.nullable(),
  /** Why the last attempt failed: text of the receiver. */
  refusal: z.string(),
})

/** Without `authorization` the stored value is kept; an empty one removes it. */
const newReceiver = z.strictObject({
  receiver: text.max(2001),
  authorization: receiverFields.shape.authorization.optional(),
})

/** The receiver of the security events of an app, and the deliveries to it. */
export const eventOperations = [
  operation({
    id: 'getEventReceiver',
    method: 'GET',
    path: '/apps/{app}/event_receiver',
    action: 'events.read',
    summary: 'Returns the receiver of the security events of an app',
    answer: { status: 200, schema: receiver },
    run: async (call) => answerReceiver(call.context, (await appOf(call)).app.id),
  }),
  operation({
    id: 'setEventReceiver',
    method: 'PUT',
    path: '/apps/{app}/event_receiver',
    action: 'events.change',
    summary: 'Registers or changes the receiver; a stored header value is sent to its own address alone',
    body: newReceiver,
    answer: { status: 200, schema: receiver },
    run: (call) => act(call, (context, by) => setReceiver(context, by, fieldsOf(call.body))),
  }),
  operation({
    id: 'removeEventReceiver',
    method: 'DELETE',
    path: '/apps/{app}/event_receiver',
    action: 'events.change',
    summary: 'Removes the receiver with its events',
    async run(call) {
      await removeReceiver(call.context, await appOf(call))
      return {}
    },
  }),
  operation({
    id: 'pauseEventReceiver',
    method: 'POST',
    path: '/apps/{app}/event_receiver/pause',
    action: 'events.change',
    summary: 'Pauses the deliveries; events wait for a day',
    answer: { status: 200, schema: receiver },
    run: (call) => act(call, (context, by) => pauseReceiver(context, by, true)),
  }),
  operation({
    id: 'resumeEventReceiver',
    method: 'POST',
    path: '/apps/{app}/event_receiver/resume',
    action: 'events.change',
    summary: 'Resumes the deliveries',
    answer: { status: 200, schema: receiver },
    run: (call) => act(call, (context, by) => pauseReceiver(context, by, false)),
  }),
  operation({
    id: 'verifyEventReceiver',
    method: 'POST',
    path: '/apps/{app}/event_receiver/verify',
    action: 'events.change',
    summary: 'Sends a verification event to the receiver',
    answer: { status: 200, schema: receiver },
    run: (call) => act(call, verifyReceiver),
  }),
  operation({
    id: 'replayEvents',
    method: 'POST',
    path: '/apps/{app}/events/replay',
    action: 'events.change',
    summary: 'Sends the events of the last 24 hours again, each with its jti',
    answer: { status: 202, schema: z.object({ count: z.int() }) },
    async run(call) {
      const replayed = await replayEvents(call.context, await appOf(call))
      if ('problems' in replayed) throw refusedAct(replayed.problems)
      return { body: { count: replayed.count } }
    },
  }),
  operation({
    id: 'listEvents',
    method: 'GET',
    path: '/apps/{app}/events',
    action: 'events.read',
    summary: 'Lists the events of the last two days, newest first',
    query: page,
    answer: { status: 200, schema: listOf(event) },
    async run(call) {
      const { after, limit } = call.query
      const by = await appOf(call)
      const events = await call.context.eventReceivers.listEvents(by.app.id, after, limit + 1)
      const items = events.slice(0, limit).map(({ id, createdAt, triedAt, nextAt, ...one }) => ({
        ...{ jti: id, ...one, created_at: createdAt, tried_at: triedAt },
        next_at: one.state === 'waiting' ? nextAt : null,
      }))
      return { body: { items, next: events.length > limit ? items.at(-1)?.jti : null } }
    },
  }),
]

const fieldsOf = ({ receiver: address, authorization }: z.output<typeof newReceiver>) => {
  const header = authorization === undefined ? 'keep' : authorization === '' ? 'none' : 'set'
  return { receiver: address, header, authorization: authorization ?? '' } as const
}

async function act<Query, Body>(
  call: Call<Query, Body>,
  run: (context: ConsoleContext, by: AppAuthor) => Promise<Acted>,
) {
  const by = await appOf(call)
  const acted = await run(call.context, by)
  if ('problems' in acted) throw refusedAct(acted.problems)
  return answerReceiver(call.context, by.app.id)
}

async function answerReceiver({ eventReceivers }: ConsoleContext, appId: string) {
  const found = await eventReceivers.find(appId)
  if (!found) throw notFound()
  const { address, hasAuthorization, createdAt, pausedAt } = found
  return {
    body: { receiver: address, has_authorization: hasAuthorization, created_at: createdAt, paused_at: pausedAt },
  }
}

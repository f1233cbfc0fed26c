import type { Acted, AppAuthor } from '#lib/console/acted'
import { answerAppForm } from '#lib/console/app/app-form'
import type { ConsoleContext } from '#lib/console/context'
import { actOf } from '#lib/console/team-form'

const about = { form: 'events', section: 'events', action: 'events.change' } as const

/** The hours of events that a replay sends again. */
const replayHours = 24

/** POST /console/app/events/pause: pauses the deliveries, or resumes them. */
export const answerReceiverPause = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, (submission) =>
    pauseReceiver(context, submission, submission.form.get('state') === 'paused'),
  )

/** POST /console/app/events/verify: sends a verification event to the receiver (SSF 1.0 §8.1.4). */
export const answerReceiverVerification = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, (submission) => verifyReceiver(context, submission))

/** POST /console/app/events/replay: sends the events of the last day again, with the same jti. */
export const answerEventReplay = (context: ConsoleContext, request: Request): Promise<Response> =>
  answerAppForm(context, request, about, (submission) => replayEvents(context, submission))

const unknown = { problems: [{ code: 'receiver_absent' }] }

/** Pauses the deliveries, or resumes them. Events of a paused receiver wait for a day. */
export async function pauseReceiver(context: ConsoleContext, by: AppAuthor, isPaused: boolean): Promise<Acted> {
  const act = actOf({ context, ...by }, isPaused ? 'receiver_paused' : 'receiver_resumed')
  const isSet = await context.eventReceivers.setPaused(by.app.id, isPaused, act)
  context.deliveries.nudge()
  return isSet ? { done: act.kind } : unknown
}

/** Queues a verification, unless one waits. */
export async function verifyReceiver(context: ConsoleContext, by: AppAuthor): Promise<Acted> {
  const queued = await context.eventReceivers.verify(by.app.id, actOf({ context, ...by }, 'receiver_verified'))
  context.deliveries.nudge()
  if (queued === 'unknown') return unknown
  return queued === 'queued' ? { done: 'receiver_verified' } : { problems: [{ code: 'receiver_verifying' }] }
}

/** Queues the events of the last day again. The replay is counted before the events are read. */
export async function replayEvents(context: ConsoleContext, by: AppAuthor): Promise<Acted<{ count: number }>> {
  const wait = await context.teamLimits.replays.take(by.app.id)
  if (wait > 0) return { problems: [{ code: 'replay_wait', wait }] }
  const since = new Date(context.now().getTime() - replayHours * 3_600_000)
  const count = await context.eventReceivers.replay(by.app.id, since, actOf({ context, ...by }, 'events_replayed'))
  context.deliveries.nudge()
  return count === 0 ? { problems: [{ code: 'replay_empty' }] } : { done: 'events_replayed', count }
}

import type { Act } from '#lib/console/audit/act'
import type { EventType } from '#lib/oauth/events/event-types'

/** The receiver of an app's security events, as its team sees it. */
export type Receiver = {
  address: string
  hasAuthorization: boolean
  createdAt: Date
  /** While set, events are queued and not sent. */
  pausedAt: Date | null
}

/** An event of the last two days, as the team of its app sees it: without the person. */
export type ShownEvent = {
  /** The jti. */
  id: string
  type: EventType
  state: 'waiting' | 'delivered' | 'rejected' | 'given_up'
  attempts: number
  createdAt: Date
  /** The time of the last answer; null before the first one. */
  triedAt: Date | null
  /** The time of the next attempt, if the event waits. */
  nextAt: Date
  /** Why the last attempt failed: text of the receiver, cut and in one line. */
  refusal: string
}

/**
 * A receiver to store. `sealedAuthorization` is the sealed value of the header Authorization, empty for none; undefined
 * keeps the stored one.
 */
export type NewReceiver = { teamId: string; appId: string; address: string; sealedAuthorization: string | undefined }

/** Stores the receivers of apps. Every change writes its act in the same transaction. */
export type EventReceiverStore = {
  find(appId: string): Promise<Receiver | undefined>
  /** Lists events, newest first; `after` is the id of the last event of the page before. */
  listEvents(appId: string, after: string | undefined, most: number): Promise<ShownEvent[]>
  /**
   * Registers or changes the receiver. `secret needed`: the stored header value belongs to another address, to which alone
   * it may be sent.
   */
  set(receiver: NewReceiver, act: Act): Promise<'registered' | 'changed' | 'secret needed' | 'unknown app'>
  /** Removes the receiver with its events; false if there is none. */
  remove(appId: string, act: Act): Promise<boolean>
  /** Pauses the deliveries, or resumes them; false if there is no receiver. */
  setPaused(appId: string, isPaused: boolean, act: Act): Promise<boolean>
  /** Queues a verification, unless one waits. */
  verify(appId: string, act: Act): Promise<'queued' | 'waiting' | 'unknown'>
  /** Queues the events that happened since then and do not wait, and returns their number. */
  replay(appId: string, since: Date, act: Act): Promise<number>
}

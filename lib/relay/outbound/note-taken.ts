import type { Relay } from '#lib/relay/relay'

/**
 * What is noted of a message that the next mail server has taken. That it was taken stays true when a note fails: said
 * otherwise, the sender would send it again and again, and it would arrive each time.
 */
export async function noteTaken(relay: Relay, notes: (Promise<unknown> | undefined)[]): Promise<void> {
  for (const note of await Promise.allSettled(notes)) if (note.status === 'rejected') relay.tell.fault(note.reason)
}

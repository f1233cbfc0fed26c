import { createHmac } from 'node:crypto'
import type { Incoming } from '#lib/relay/inbound/receive'
import type { Relay } from '#lib/relay/relay'

const day = 86_400
const toPause = 3

/** Three messages in a day that somebody's inbox is not there for, and nothing more is sent to it (relay §7). */
export async function noteReturnedMail(relay: Relay, { message }: Incoming, personId: string): Promise<void> {
  const now = relay.now()
  const id = createHmac('sha256', relay.keys.mark[0])
    .update(`returned\0${personId}\0${message.bodySha256}`)
    .digest('hex')
  const count = await relay.store.noteReturned(id, personId, now, new Date(now.getTime() - day * 1000))
  if (count >= toPause && (await relay.store.pauseMail(personId, now))) await relay.tell.mailPaused(personId)
}

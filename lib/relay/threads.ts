import { createHmac } from 'node:crypto'
import type { HeaderField } from './message/header-fields.ts'
import { type MapMessageId, referencedIds } from './message/message-ids.ts'
import type { Relay } from './relay.ts'

/** How long an answer to a message still finds its thread. */
const days = 180

/**
 * For mail to the person: Message-IDs we made for messages of theirs become their own again, so that their mail program
 * finds the thread (relay §6). All others are the app's, and stay.
 */
export async function mapIdsForPerson(relay: Relay, alias: string, fields: HeaderField[]): Promise<MapMessageId> {
  const ours = idsIn(fields).filter((id) => nameOfOurs(relay, id))
  if (ours.length === 0) return (id) => id
  const known = await relay.store.findThreads(
    alias,
    ours.map((id) => nameOfOurs(relay, id) as string),
  )
  const originals = new Map<string, string | undefined>()
  for (const id of ours) {
    const sealed = known.get(nameOfOurs(relay, id) as string)
    originals.set(id, sealed && (await relay.open(sealed)))
  }
  return (id) => originals.get(id) ?? id
}

/** For mail to the app: its own Message-IDs stay; the person's, which name their mail server, become ours. */
export async function mapIdsForApp(relay: Relay, alias: string, fields: HeaderField[]): Promise<MapMessageId> {
  const ids = idsIn(fields)
  const known =
    ids.length === 0
      ? new Map()
      : await relay.store.findThreads(
          alias,
          ids.map((id) => nameOfTheirs(relay, alias, id)),
        )
  return (id) => {
    if (known.has(nameOfTheirs(relay, alias, id)) || nameOfOurs(relay, id)) return id
    return ourId(relay, alias, id)
  }
}

/** The Message-ID that stands for one of the person's: always the same, and telling nothing. */
export const ourId = (relay: Relay, alias: string, original: string): string =>
  `<${nameForOriginal(relay, alias, original)}@${relay.domain}>`

/** Remembers that an app has sent a message with this Message-ID. */
export async function keepAppThread(relay: Relay, alias: string, id: string): Promise<void> {
  await relay.store.keepThread(nameOfTheirs(relay, alias, id), { alias, original: undefined }, until(relay))
}

/** Remembers which message of the person's our Message-ID stands for. */
export async function keepPersonThread(relay: Relay, alias: string, original: string): Promise<void> {
  const sealed = await relay.seal(original)
  await relay.store.keepThread(nameForOriginal(relay, alias, original), { alias, original: sealed }, until(relay))
}

/** Of a long thread the latest ones. */
const idsIn = (fields: HeaderField[]): string[] => referencedIds(fields).slice(-100)

function nameOfOurs({ domain }: Relay, id: string): string | undefined {
  const [, name, host] = /^<([0-9a-f]{40})@(.+)>$/.exec(id) ?? []
  return host === domain ? name : undefined
}

const nameForOriginal = (relay: Relay, alias: string, id: string) => mark(relay, `original\0${alias}\0${id}`)
const nameOfTheirs = (relay: Relay, alias: string, id: string) => mark(relay, `app\0${alias}\0${id}`)
const mark = ({ keys }: Relay, text: string) => createHmac('sha256', keys.mark).update(text).digest('hex').slice(0, 40)
const until = (relay: Relay) => new Date(relay.now().getTime() + days * 86_400_000)

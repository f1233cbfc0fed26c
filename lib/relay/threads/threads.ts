import { hmac } from '#lib/crypto/hash'
import type { HeaderField } from '#lib/relay/mime/header-fields'
import type { Relay } from '#lib/relay/relay'

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
  // Under the keys of before too: a rotated SECRET_KEY breaks no thread.
  const names = (kind: Kind, id: string) => relay.keys.mark.map((key) => mark(key, kind, alias, id))
  const wanted = ids.flatMap((id) => [...names('app', id), ...names('original', id)])
  const known = wanted.length === 0 ? new Map() : await relay.store.findThreads(alias, wanted)
  return (id) => {
    // First: what the person wrote stays theirs, also when a copy of it came back to the relay address.
    const standsFor = names('original', id).find((name) => known.has(name))
    if (standsFor) return `<${standsFor}@${relay.domain}>`
    const isTheirs = nameOfOurs(relay, id) || names('app', id).some((name) => known.has(name))
    return isTheirs ? id : ourId(relay, alias, id)
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

/** By which a Message-ID of the app's is known; under the keys of before too, the present one first. */
export const marksOfApp = ({ keys }: Relay, alias: string, id: string): string[] =>
  keys.mark.map((key) => mark(key, 'app', alias, id))

/** By which a Message-ID of the person's is known. */
export const marksOfPerson = ({ keys }: Relay, alias: string, id: string): string[] =>
  keys.mark.map((key) => mark(key, 'original', alias, id))

/** Of a long thread the latest ones. */
const idsIn = (fields: HeaderField[]): string[] => referencedIds(fields).slice(-100)

function nameOfOurs({ domain }: Relay, id: string): string | undefined {
  const [, name, host] = /^<([0-9a-f]{40})@(.+)>$/.exec(id) ?? []
  return host === domain ? name : undefined
}

/** Message-IDs of the app's own, and those that stand for the person's. */
type Kind = 'app' | 'original'
const nameForOriginal = ({ keys }: Relay, alias: string, id: string) => mark(keys.mark[0], 'original', alias, id)
const nameOfTheirs = ({ keys }: Relay, alias: string, id: string) => mark(keys.mark[0], 'app', alias, id)
const mark = (key: Buffer, kind: Kind, alias: string, id: string) =>
  hmac(key, kind, alias, id).toString('hex').slice(0, 40)
const until = (relay: Relay) => new Date(relay.now().getTime() + days * 86_400_000)

/** The message ids, angle brackets included, that a message says it follows. */
export const referencedIds = (fields: HeaderField[]): string[] => [
  ...new Set(fields.filter(isReference).flatMap(({ raw }) => raw.match(messageId) ?? [])),
]

/** The same field with the ids that are known under another name on the other side; every other byte stays. */
export function mapReferences(field: HeaderField, mapMessageId: MapMessageId): HeaderField {
  if (!isReference(field)) return field
  return { ...field, raw: field.raw.replace(messageId, (id) => wellFormed(mapMessageId(id)) ?? id) }
}

/** What becomes of each of the latest ids a message refers to. */
export const mapAll = (fields: HeaderField[], mapMessageId: MapMessageId): Map<string, string | undefined> =>
  new Map(
    ['in-reply-to', 'references'].flatMap((wanted) => {
      const first = fields.find(({ name }) => name === wanted)
      return (first?.raw.match(messageId) ?? []).slice(-mostMapped).map((id) => [id, mapMessageId(id)] as const)
    }),
  )

const mostMapped = 50

const isReference = ({ name }: HeaderField) => name === 'references' || name === 'in-reply-to'

const messageId = /<[^<>\s]+>/g

const wellFormed = (id: string | undefined) => (id && /^<[^<>\s]+>$/.test(id) ? id : undefined)

/** Takes and gives an id with its angle brackets. */
export type MapMessageId = (id: string) => string | undefined

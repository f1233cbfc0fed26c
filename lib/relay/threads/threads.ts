import { hmac } from '#lib/crypto/hash'
import type { HeaderField } from '#lib/relay/mime/header-fields'
import type { Relay } from '#lib/relay/relay'

/** Days for which a reply finds its thread. */
const days = 180

/**
 * For mail to the person: replaces Message-IDs that the relay created with the person's originals, so that mail
 * programs find the thread (relay §6). Message-IDs of the app stay.
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
    originals.set(id, sealed && relay.open(sealed))
  }
  return (id) => originals.get(id) ?? id
}

/** For mail to the app: keeps the app's Message-IDs and replaces the person's, which name their mail server. */
export async function mapIdsForApp(relay: Relay, alias: string, fields: HeaderField[]): Promise<MapMessageId> {
  const ids = idsIn(fields)
  // Looks up ids under previous keys too, so that a rotation of SECRET_KEY breaks no thread.
  const names = (kind: Kind, id: string) => relay.keys.mark.map((key) => mark(key, kind, alias, id))
  const wanted = ids.flatMap((id) => [...names('app', id), ...names('original', id)])
  const known = wanted.length === 0 ? new Map() : await relay.store.findThreads(alias, wanted)
  return (id) => {
    // Checked first, because a copy of the person's message that returned to the alias may have recorded its Message-ID
    // as the app's.
    const standsFor = names('original', id).find((name) => known.has(name))
    if (standsFor) return `<${standsFor}@${relay.domain}>`
    const isTheirs = nameOfOurs(relay, id) || names('app', id).some((name) => known.has(name))
    return isTheirs ? id : ourId(relay, alias, id)
  }
}

/** Returns the Message-ID that replaces a Message-ID of the person: deterministic and opaque. */
export const ourId = (relay: Relay, alias: string, original: string): string =>
  `<${nameForOriginal(relay, alias, original)}@${relay.domain}>`

/** Records a Message-ID of the app. */
export async function keepAppThread(relay: Relay, alias: string, id: string): Promise<void> {
  await relay.store.keepThread(nameOfTheirs(relay, alias, id), { alias, original: undefined }, until(relay))
}

/** Records which Message-ID of the person our Message-ID replaces. */
export async function keepPersonThread(relay: Relay, alias: string, original: string): Promise<void> {
  const sealed = relay.seal(original)
  await relay.store.keepThread(nameForOriginal(relay, alias, original), { alias, original: sealed }, until(relay))
}

/** Returns the keyed hashes of an app's Message-ID, under the current key first, then under previous ones. */
export const marksOfApp = ({ keys }: Relay, alias: string, id: string): string[] =>
  keys.mark.map((key) => mark(key, 'app', alias, id))

/** Returns the keyed hashes of a person's Message-ID, under the current key first, then under previous ones. */
export const marksOfPerson = ({ keys }: Relay, alias: string, id: string): string[] =>
  keys.mark.map((key) => mark(key, 'original', alias, id))

/** Returns the latest 100 ids that a message refers to. */
const idsIn = (fields: HeaderField[]): string[] => referencedIds(fields).slice(-100)

function nameOfOurs({ domain }: Relay, id: string): string | undefined {
  const [, name, host] = /^<([0-9a-f]{40})@(.+)>$/.exec(id) ?? []
  return host === domain ? name : undefined
}

/** The origin of a Message-ID: the app, or the person's mail program (replaced by one of the relay). */
type Kind = 'app' | 'original'
const nameForOriginal = ({ keys }: Relay, alias: string, id: string) => mark(keys.mark[0], 'original', alias, id)
const nameOfTheirs = ({ keys }: Relay, alias: string, id: string) => mark(keys.mark[0], 'app', alias, id)
const mark = (key: Buffer, kind: Kind, alias: string, id: string) =>
  hmac(key, kind, alias, id).toString('hex').slice(0, 40)
const until = (relay: Relay) => new Date(relay.now().getTime() + days * 86_400_000)

/** Returns the message ids, with angle brackets, that a message refers to. */
export const referencedIds = (fields: HeaderField[]): string[] => [
  ...new Set(fields.filter(isReference).flatMap(({ raw }) => raw.match(messageId) ?? [])),
]

/** Replaces the ids of a reference field; all other bytes stay. */
export function mapReferences(field: HeaderField, mapMessageId: MapMessageId): HeaderField {
  if (!isReference(field)) return field
  return { ...field, raw: field.raw.replace(messageId, (id) => wellFormed(mapMessageId(id)) ?? id) }
}

/** Returns the replacement of each of the latest 50 ids in In-Reply-To and in References. */
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

/** Takes and returns an id with its angle brackets. */
export type MapMessageId = (id: string) => string | undefined

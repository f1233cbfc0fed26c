import { fieldValue, type HeaderField } from '#lib/relay/mime/header-fields'
import { fingerprintInWorker } from '#lib/relay/quote/fingerprint/fingerprint-in-worker'
import type { SentFingerprints } from '#lib/relay/quote/known-text'
import type { Relay } from '#lib/relay/relay'
import { marksOfApp, marksOfPerson, referencedIds } from './threads.ts'

/** Days for which a reply can be matched to a forwarded message. */
const days = 180
/** The number of latest messages that a reply without a reference is compared with. */
const mostLatest = 20
const mostReferenced = 50
const day = 86_400
/** Limits what one alias may record in a day, so that no sender fills the database. */
export const recordLimits = { messages: 300, large: 20, largeFrom: 8192 }

/**
 * Records the fingerprints of a message before it leaves, because a reply is matched by its Message-ID (relay §6).
 * Returns the Message-ID to send: the message's own, or a new one when it has none or another recorded message has
 * the same. Undefined when no worker is free.
 */
export async function keepSent(relay: Relay, { alias, fields, sender, message }: Sending): Promise<string | undefined> {
  const [key] = relay.keys.print
  const made = await fingerprintInWorker(message, { key, alias, sender })
  if (made === 'busy') return undefined
  const prints = (await hasRoom(relay, alias, made.length)) ? made : Buffer.alloc(0)
  const given = fields.find(({ name }) => name === 'message-id')
  const until = new Date(relay.now().getTime() + days * 86_400_000)
  const id = given && /^<[^<>\s]{1,900}>$/.exec(fieldValue(given))?.[0]
  if (id && (await keep(relay, { alias, id, prints, until }))) return id
  const ownId = `<m.${relay.random(16).toString('hex')}@${relay.domain}>`
  await keep(relay, { alias, id: ownId, prints, until })
  return ownId
}

/**
 * Counts a record. A message beyond the limits is forwarded too, but is recorded without fingerprints, like one that
 * cannot be read.
 */
async function hasRoom(relay: Relay, alias: string, size: number): Promise<boolean> {
  const { messages, large, largeFrom } = recordLimits
  const pass = (kind: string, most: number) =>
    relay.store.mayPass(`relay-prints:${kind}:${alias}`, { most, seconds: day }, relay.now())
  return (await pass('all', messages)) && (size < largeFrom || (await pass('large', large)))
}

type Sending = {
  alias: string
  fields: HeaderField[]
  /** The name that the person sees. */
  sender: string
  message: { size: number; whole(): Promise<Buffer> }
}

type Keeping = { alias: string; id: string; prints: Buffer; until: Date }

const keep = (relay: Relay, { alias, id, prints, until }: Keeping): Promise<boolean> =>
  relay.store.keepSent(marksOfApp(relay, alias, id)[0] as string, { alias, prints }, relay.now(), until)

/**
 * Returns the records of the messages that a reply refers to, or the latest records when it refers to no message or
 * to one of the person's. Undefined when the referenced messages are not or no longer recorded, or when one is
 * recorded without fingerprints: the reply must not leave then, because it could show the app whether the message
 * named the person.
 */
export async function findAnswered(
  relay: Relay,
  alias: string,
  fields: HeaderField[],
): Promise<SentFingerprints[] | undefined> {
  const ids = referencedIds(fields).slice(-mostReferenced)
  const keys = new Map(
    ids.flatMap((id) =>
      marksOfApp(relay, alias, id).map((mark, at) => [mark, relay.keys.print[at] as Buffer] as const),
    ),
  )
  const found = keys.size === 0 ? new Map() : await relay.store.findSent(alias, [...keys.keys()], relay.now())
  if (found.size > 0) {
    const sent = [...found].map(([mark, prints]) => ({ key: keys.get(mark) as Buffer, alias, prints }))
    return sent.every(({ prints }) => prints.length > 0) ? sent : undefined
  }
  const isFirst =
    ids.length === 0 ||
    (
      await relay.store.findThreads(
        alias,
        ids.flatMap((id) => marksOfPerson(relay, alias, id)),
      )
    ).size > 0
  return isFirst ? findLatest(relay, alias) : undefined
}

/** Combines each record with every key, because a record does not name the key of its fingerprints. */
async function findLatest(relay: Relay, alias: string): Promise<SentFingerprints[]> {
  const latest = await relay.store.latestSent(alias, mostLatest, relay.now())
  const readable = [...latest.values()].filter((prints) => prints.length > 0)
  return relay.keys.print.flatMap((key) => readable.map((prints) => ({ key, alias, prints })))
}

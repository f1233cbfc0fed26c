import { fieldValue, type HeaderField } from '#lib/relay/mime/header-fields'
import { fingerprintInWorker } from '#lib/relay/quote/fingerprint/fingerprint-in-worker'
import type { SentFingerprints } from '#lib/relay/quote/known-text'
import type { Relay } from '#lib/relay/relay'
import { marksOfApp, marksOfPerson, referencedIds } from './threads.ts'

/** How long a message can be answered by a reply. */
const days = 180
/** A reply that says of no message that it answers it may quote one of the latest. */
const mostLatest = 20
const mostReferenced = 50
/** What one relay address may put on record in a day, so that no sender fills the database. */
const day = 86_400
export const recordLimits = { messages: 300, large: 20, largeFrom: 8192 }

/**
 * Puts a message on record before it leaves, whomever it names, and returns the Message-ID it leaves with: its own, unless it has
 * none or another message had the same; then the relay makes one. A reply is recognised by it (relay §6).
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

/** Counts a record; beyond the limits a message is forwarded all the same, and counts as one that cannot be read. */
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
 * What is on record of the messages that a reply answers. Undefined when it answers one that is not, or no longer, on record, or
 * that could not be read: then nothing may leave, because the app could see in it whether it named the person.
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

/** Under each key there is: which one a message was fingerprinted with is not on record. */
async function findLatest(relay: Relay, alias: string): Promise<SentFingerprints[]> {
  const latest = await relay.store.latestSent(alias, mostLatest, relay.now())
  const readable = [...latest.values()].filter((prints) => prints.length > 0)
  return relay.keys.print.flatMap((key) => readable.map((prints) => ({ key, alias, prints })))
}

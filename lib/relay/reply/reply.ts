import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { type Answer, answers } from '#lib/relay/answers'
import { duplicateGuard } from '#lib/relay/message/duplicate-guard'
import { checkHead, loopMark } from '#lib/relay/message/head'
import type { Incoming } from '#lib/relay/message/incoming'
import { type Spooled, spool, spoolSizes } from '#lib/relay/message/spool'
import { fieldValue, type HeaderField, readFields } from '#lib/relay/mime/header-fields'
import { keepRecords, sendMessage } from '#lib/relay/outbound/send-message'
import type { Destination, OpenRoute } from '#lib/relay/recipient/judge-recipient'
import { makeBounceToken } from '#lib/relay/recipient/local-part'
import type { Relay } from '#lib/relay/relay'
import { rewriteInWorker } from '#lib/relay/reply/rewrite/rewrite-in-worker'
import { checkReplySender } from '#lib/relay/sender/check-reply-sender'
import { findAnswered } from '#lib/relay/threads/sent'
import { keepPersonThread, mapAll, mapIdsForApp, ourId } from '#lib/relay/threads/threads'
import { isAutomatic } from './is-automatic.ts'
import { type ReplyRefusal, replyRefusals } from './reply-refusal.ts'

/** Sends a person's reply to the app from the relay address, without revealing the person's own (relay §6). */
export async function reply(relay: Relay, incoming: Incoming, { route, target }: Reply): Promise<Answer> {
  const fields = readFields(incoming.message.head)
  // The person did not decide to send an out-of-office note or a receipt to the app, so it is dropped.
  if (isAutomatic(incoming.from, fields, route.email)) return recordOutcome(relay, 'automatic', answers.taken)
  const refused = await refuseUnlessOwner(relay, incoming, route, fields)
  if (refused) return refused
  if (await duplicateGuard(relay, incoming, fields).wasTaken()) return recordOutcome(relay, 'repeated', answers.taken)
  if (!(await relay.store.mayPass(repliesOf(route), limit, relay.now()))) {
    return recordOutcome(relay, 'too_many', answers.tooManyReplies)
  }
  try {
    return await sendBack(relay, incoming, { route, target }, fields)
  } catch (fault) {
    await relay.store.giveBack(repliesOf(route))
    throw fault
  }
}

type Reply = Omit<Extract<Destination, { kind: 'reply' }>, 'kind'>

/**
 * Limits replies to a hundred a day for each person over all apps, so that the relay cannot serve as an anonymous
 * remailer.
 */
const limit = { most: 100, seconds: 86_400 }
const repliesOf = ({ person }: OpenRoute) => `relay-replies:${person.id}`

async function refuseUnlessOwner(relay: Relay, incoming: Incoming, route: OpenRoute, fields: HeaderField[]) {
  const { message, from: sender, client } = incoming
  const head = checkHead(fields, loopMark(relay.keys.mark[0], `reply:${route.alias}`))
  if (head.kind !== 'sound')
    return recordOutcome(relay, head.kind, head.kind === 'loop' ? answers.loop : answers.malformed)
  const about = { ...relay, now: relay.now() }
  const verdict = await checkReplySender({ message, author: head.from.address, sender, client }, route.email, about)
  switch (verdict.kind) {
    case 'accepted':
      return undefined
    case 'later':
      return recordOutcome(relay, 'dns_trouble', answers.later)
    case 'refused':
      return recordOutcome(relay, verdict.reason, answers.notTheOwner)
  }
}

async function sendBack(relay: Relay, incoming: Incoming, { route, target }: Reply, fields: HeaderField[]) {
  const { alias } = route
  const original = messageIdOf(fields) ?? `<${relay.random(16).toString('hex')}>`
  const outgoing = await prepare(
    relay,
    incoming,
    { route, target },
    { fields, messageId: ourId(relay, alias, original) },
  )
  if (outgoing.kind !== 'spooled') {
    if (outgoing.answer.code < 500) await relay.store.giveBack(repliesOf(route))
    return recordOutcome(relay, outgoing.reason, outgoing.answer)
  }
  const sender = makeBounceToken({ kind: 'reply', alias }, relay.keys.token[0], relay.now())
  const { outcome, answer } = await sendMessage(relay, {
    envelope: { from: `b-${sender}@${relay.domain}`, to: target },
    fields: readFields(outgoing.head),
    body: outgoing,
    answerBy: incoming.answerBy,
    // The rewritten header is ASCII except for international addresses.
    saysUtf8: true,
  }).finally(outgoing.discard)
  if (outcome === 'taken') await keep(relay, incoming, fields, { alias, original })
  // The sending server retries a deferred reply and the retry is counted again, so this count is undone.
  if (outcome === 'later') await relay.store.giveBack(repliesOf(route))
  return recordOutcome(relay, outcome, answer)
}

/** Rewrites the reply; the result is spooled to a file until the next mail server accepts it. */
async function prepare(
  relay: Relay,
  { message, to: reverse }: Incoming,
  { route, target }: Reply,
  { fields, messageId }: { fields: HeaderField[]; messageId: string },
): Promise<Spooled | { kind: 'refused'; reason: string; answer: Answer }> {
  const { alias, person } = route
  const sent = await findAnswered(relay, alias, fields)
  if (!sent) return refusedFor('unknown_message')
  const rewritten = await rewriteInWorker(message, {
    alias: `${alias}@${relay.domain}`,
    displayName: person.sharedName,
    to: target,
    reverse,
    hidden: await relay.store.addressesOf(person.id),
    now: relay.now(),
    messageId,
    sent,
    knownIds: mapAll(fields, await mapIdsForApp(relay, alias, fields)),
  })
  if (rewritten.kind === 'busy') return { kind: 'refused', reason: 'busy', answer: answers.later }
  if (rewritten.kind === 'refused') return refusedFor(rewritten.reason)
  const outgoing = await spool(Readable.from([rewritten.message]), { ...spoolSizes, folder: tmpdir() })
  // The rewritten reply may be larger than the original.
  return outgoing.kind === 'spooled'
    ? outgoing
    : {
        kind: 'refused',
        reason: outgoing.kind,
        answer: outgoing.kind === 'too_large' ? answers.tooLarge : answers.malformed,
      }
}

const refusedFor = (reason: ReplyRefusal) => ({
  kind: 'refused' as const,
  reason,
  answer: { code: 550, text: `5.7.1 ${replyRefusals[reason]}` },
})

const messageIdOf = (fields: HeaderField[]) => {
  const field = fields.find(({ name }) => name === 'message-id')
  return field && /<[^<>\s]+>/.exec(fieldValue(field))?.[0]
}

async function keep(
  relay: Relay,
  incoming: Incoming,
  fields: HeaderField[],
  { alias, original }: { alias: string; original: string },
): Promise<void> {
  await keepRecords(relay, [
    duplicateGuard(relay, incoming, fields).keep(),
    relay.store.count(alias, 'replied', relay.now()),
    keepPersonThread(relay, alias, original),
  ])
}

function recordOutcome(relay: Relay, outcome: string, answer: Answer): Answer {
  relay.events.outcome('reply', outcome)
  return answer
}

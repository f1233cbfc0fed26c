import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { makeBounceToken } from '../address/bounce-token.ts'
import { type Answer, answers } from '../answers.ts'
import { handOn } from '../hand-on.ts'
import type { Destination, OpenRoute } from '../judge-recipient.ts'
import { checkHead } from '../message/check-head.ts'
import { fieldValue, type HeaderField, readFields } from '../message/header-fields.ts'
import { loopMark } from '../message/loop-mark.ts'
import { spool, spoolSizes } from '../message/spool.ts'
import { receiptFor } from '../receipt.ts'
import type { Incoming } from '../receive.ts'
import type { Relay } from '../relay.ts'
import { checkReplySender } from '../sender/check-reply-sender.ts'
import { keepPersonThread, mapIdsForApp, ourId } from '../threads.ts'
import { isAutomatic } from './is-automatic.ts'
import { replyRefusals } from './reply-refusal.ts'
import { rewriteReply } from './rewrite-reply.ts'

/** A person's answer to an app's message: it leaves from the relay address, and nothing in it tells the real one (relay §6). */
export async function reply(relay: Relay, incoming: Incoming, { route, target }: Reply): Promise<Answer> {
  const fields = readFields(incoming.message.head)
  // An out-of-office note or a receipt would go to the app from a person who does not know of it.
  if (isAutomatic(incoming.from, fields)) return told(relay, 'automatic', answers.taken)
  const refused = await refuseStranger(relay, incoming, route, fields)
  if (refused) return refused
  if (await receiptFor(relay, incoming, fields).wasTaken()) return told(relay, 'repeated', answers.taken)
  if (!(await relay.store.mayPass(`relay-replies:${route.person.id}`, limit, relay.now()))) {
    return told(relay, 'too_many', answers.tooManyReplies)
  }
  return sendBack(relay, incoming, { route, target }, fields)
}

type Reply = Omit<Extract<Destination, { kind: 'reply' }>, 'kind'>

/** This is no anonymous remailer: a hundred replies a day for each person, all to the app. */
const limit = { most: 100, seconds: 86_400 }

async function refuseStranger(relay: Relay, incoming: Incoming, route: OpenRoute, fields: HeaderField[]) {
  const { message, from: sender, client } = incoming
  const head = checkHead(fields, {
    loopMark: loopMark(relay.keys.mark, `reply:${route.alias}`),
    relayDomain: relay.domain,
  })
  if (head.kind !== 'sound') return told(relay, head.kind, head.kind === 'loop' ? answers.loop : answers.malformed)
  const about = { ...relay, now: relay.now() }
  const verdict = await checkReplySender({ message, author: head.from.address, sender, client }, route.email, about)
  switch (verdict.kind) {
    case 'accepted':
      return undefined
    case 'later':
      return told(relay, 'dns_trouble', answers.later)
    case 'refused':
      return told(relay, verdict.reason, answers.notTheOwner)
  }
}

async function sendBack(relay: Relay, incoming: Incoming, { route, target }: Reply, fields: HeaderField[]) {
  const { alias } = route
  const original = messageIdOf(fields) ?? `<${relay.random(16).toString('hex')}>`
  const rewritten = rewriteReply(await incoming.message.whole(), {
    alias: `${alias}@${relay.domain}`,
    displayName: route.person.sharedName,
    to: target,
    reverse: incoming.to,
    hidden: await relay.store.addressesOf(route.person.id),
    now: relay.now(),
    messageId: ourId(relay, alias, original),
    mapMessageId: await mapIdsForApp(relay, alias, fields),
  })
  if (rewritten.kind === 'refused') {
    return told(relay, rewritten.reason, { code: 550, text: `5.7.1 ${replyRefusals[rewritten.reason]}` })
  }
  const sender = makeBounceToken({ kind: 'reply', alias }, relay.keys.token[0], relay.now())
  const leaving = await spool(Readable.from([rewritten.message]), { ...spoolSizes, folder: tmpdir() })
  if (leaving.kind !== 'spooled') return told(relay, leaving.kind, answers.malformed)
  const { outcome, answer } = await handOn(relay, {
    envelope: { from: `b-${sender}@${relay.domain}`, to: target },
    fields: readFields(leaving.head),
    body: leaving,
  }).finally(leaving.discard)
  if (outcome === 'taken') await keep(relay, incoming, fields, { alias, original })
  return told(relay, outcome, answer)
}

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
  await Promise.all([
    receiptFor(relay, incoming, fields).keep(),
    relay.store.count(alias, 'replied', relay.now()),
    keepPersonThread(relay, alias, original),
  ])
}

function told(relay: Relay, outcome: string, answer: Answer): Answer {
  relay.tell.outcome('reply', outcome)
  return answer
}

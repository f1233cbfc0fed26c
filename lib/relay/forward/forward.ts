import { type Answer, answers } from '#lib/relay/answers'
import { duplicateGuard } from '#lib/relay/message/duplicate-guard'
import { checkHead, loopMark, traceField } from '#lib/relay/message/head'
import type { Incoming } from '#lib/relay/message/incoming'
import { decodeWords, fieldValue, type HeaderField, readFields } from '#lib/relay/mime/header-fields'
import {
  asciiOf,
  domainOf,
  isSameAddress,
  type Mailbox,
  organizationOf,
  parseMailboxes,
} from '#lib/relay/mime/mailboxes'
import { keepRecords, sendMessage } from '#lib/relay/outbound/send-message'
import { mayPassFrom, type OpenRoute } from '#lib/relay/recipient/judge-recipient'
import { makeBounceToken, makeReverseToken } from '#lib/relay/recipient/local-part'
import type { Relay } from '#lib/relay/relay'
import { judgeBounce, noteReturnedMail } from '#lib/relay/reports/judge-bounce'
import { isDeliveryReport } from '#lib/relay/reports/read-report'
import { judgeSender, judgeStranger, type SenderDetail } from '#lib/relay/sender/sender-policy'
import { keepSent } from '#lib/relay/threads/sent'
import { keepAppThread, mapIdsForPerson } from '#lib/relay/threads/threads'
import { forwardName, rewriteForward } from './rewrite-forward.ts'

/** Forwards an app's message for a relay address to the person's inbox (relay §§3, 5). */
export async function forward(relay: Relay, incoming: Incoming, route: OpenRoute): Promise<Answer> {
  const fields = readFields(incoming.message.head)
  const head = checkHead(fields, loopMark(relay.keys.mark[0], route.alias))
  if (head.kind !== 'sound') return block(relay, route, headAnswers[head.kind], head.kind)
  if (isDeliveryReport(fields, incoming.from)) return block(relay, route, answers.noReports, 'delivery_report')
  if (await duplicateGuard(relay, incoming, fields).wasTaken()) return recordOutcome(relay, 'repeated', answers.taken)
  const proven = route.app ? await relay.verifiedDomains(route.app.id) : []
  const refused = await refuseUnproven(relay, incoming, route, { author: head.from.address, proven })
  if (refused) return refused
  if (!(await withinLimits(relay, incoming, route))) return recordOutcome(relay, 'too_many', answers.tooMany)
  // Replies from an address made by hand go to the address that wrote, never to one that it names (relay §9).
  const answerTo = route.app
    ? answerAddress(fields, head.from, { relayDomain: relay.domain, proven })
    : head.from.address
  return forwardTo(relay, incoming, route, fields, { from: head.from, answerTo })
}

/** The author of a message, and the address that replies go to. */
type Parties = { from: Mailbox; answerTo: string }
/** The author's address, and the proven domains of the app. */
type Claimed = { author: string; proven: string[] }

const headAnswers = { loop: answers.loop, no_from: answers.malformed, several_from: answers.malformed }

/** Authenticates the sender. The app's developers see the reason for a refusal (relay §8). */
async function refuseUnproven(relay: Relay, incoming: Incoming, route: OpenRoute, { author, proven }: Claimed) {
  const { message, from: sender, client } = incoming
  // The libraries that check a sender take 20 MiB, so a server that receives no mail does not load them.
  const { checkSender } = await import('#lib/relay/sender/sender-check')
  const checked = await checkSender({ message, author, sender, client }, { ...relay, now: relay.now() })
  const verdict = route.app ? judgeSender(checked, proven) : judgeStranger(checked)
  switch (verdict.kind) {
    case 'accepted':
      return undefined
    case 'later':
      return recordOutcome(relay, 'dns_trouble', answers.later)
    case 'refused': {
      const answer = verdict.reason === 'not_registered' ? answers.notRegistered : answers.unauthenticated
      return block(relay, route, answer, verdict.reason, tellable(verdict.detail, proven))
    }
  }
}

/**
 * Returns the details of a refusal for the app's developers. Includes domains only when From is at a domain that the
 * app has proven: any other domain may belong to the person, who wrote to the alias from their own inbox as a test.
 */
const tellable = (detail: SenderDetail, registered: string[]): object =>
  registered.includes(detail.from) ? detail : { results: detail.results }

const limits = {
  alias: { most: 200, seconds: 3600 },
  app: { most: 20_000, seconds: 3600 },
  byHand: { most: 1000, seconds: 3600 },
  network: { most: 20_000, seconds: 3600 },
}

/** Counts authenticated senders only, so that forged mail does not use up the limit (relay §4). */
async function withinLimits(relay: Relay, { client }: Incoming, { alias, app, person }: OpenRoute): Promise<boolean> {
  const pass = (key: string, limit: { most: number; seconds: number }) => relay.store.mayPass(key, limit, relay.now())
  const own = await Promise.all([
    pass(`relay-alias:${alias}`, limits.alias),
    mayPassFrom(relay, 'relay-network', client.ip, limits.network),
  ])
  // Counted last, so that a flood to one address does not use up the limit for all others.
  if (!own.every(Boolean)) return false
  return app ? pass(`relay-app:${app.id}`, limits.app) : pass(`relay-by-hand:${person.id}`, limits.byHand)
}

/** Sends an accepted message to the inbox. Test messages of the account pages skip the checks and start here. */
export async function forwardTo(
  relay: Relay,
  incoming: Incoming,
  route: OpenRoute,
  fields: HeaderField[],
  { from, answerTo }: Parties,
): Promise<Answer> {
  const { alias } = route
  const reverse = makeReverseToken(relay.keys.mark[0], alias, answerTo)
  // Recorded before the message leaves, so that a reply always finds its thread.
  const isOwn = isSameAddress(from.address, route.email)
  if (!isOwn) await relay.store.keepReverse(reverse, { alias, target: answerTo }, relay.now())
  const messageId = isOwn
    ? undefined
    : await keepSent(relay, { alias, fields, sender: shownName(from, route), message: incoming.message })
  if (messageId === undefined && !isOwn) return recordOutcome(relay, 'busy', answers.later)
  const sender = makeBounceToken({ kind: 'forward', alias }, relay.keys.token[0], relay.now())
  const { outcome, answer, status } = await sendMessage(relay, {
    envelope: { from: `b-${sender}@${relay.domain}`, to: route.email },
    fields: rewriteForward(fields, {
      from,
      appName: appNameOf(route),
      reverse: `r-${reverse}@${relay.domain}`,
      alias: `${alias}@${relay.domain}`,
      authority: relay.domain,
      received: traceField(relay, incoming, `${alias}@${relay.domain}`),
      loopMark: loopMark(relay.keys.mark[0], alias),
      mapMessageId: await mapIdsForPerson(relay, alias, fields),
      messageId,
    }),
    body: incoming.message,
    answerBy: incoming.answerBy,
    saysUtf8: incoming.saysUtf8,
  })
  if (outcome === 'taken') await keep(relay, incoming, alias, { fields, messageId })
  // A next hop that hosts the inbox refuses in the SMTP dialogue and sends no delivery report later.
  else if (status && judgeBounce({ action: 'failed', status }) === 'hard')
    await noteReturnedMail(relay, incoming, route.person.id)
  return recordOutcome(relay, outcome, answer)
}

/** Records a delivery. Mail from the owner (e.g. a reply-all copy) does not start an app thread. */
async function keep(relay: Relay, incoming: Incoming, alias: string, { fields, messageId }: Kept): Promise<void> {
  await keepRecords(relay, [
    duplicateGuard(relay, incoming, fields).keep(),
    relay.store.count(alias, 'forwarded', relay.now()),
    messageId ? keepAppThread(relay, alias, messageId) : undefined,
  ])
}

type Kept = { fields: HeaderField[]; messageId: string | undefined }

const shownName = (from: Mailbox, route: OpenRoute): string => decodeWords(forwardName(from, appNameOf(route))) ?? ''

/** A sender without a name at an address made by hand is shown by its address: anyone may write there. */
const appNameOf = ({ app }: OpenRoute): string => app?.name ?? ''

async function block(relay: Relay, { alias, app }: OpenRoute, answer: Answer, reason: string, detail = {}) {
  await relay.store.count(alias, 'blocked', relay.now())
  if (app) relay.events.refused(app.id, { code: answer.text.slice(0, answer.text.indexOf(' ')), reason, detail })
  return recordOutcome(relay, reason, answer)
}

function recordOutcome(relay: Relay, outcome: string, answer: Answer): Answer {
  relay.events.outcome('forward', outcome)
  return answer
}

/**
 * Returns the address that replies to a message go to: the first Reply-To address in the organization of the author
 * or of one of the app's proven domains, else From. Any other Reply-To would send the person's replies to a stranger
 * (relay §5).
 */
export function answerAddress(fields: HeaderField[], from: Mailbox, { relayDomain, proven }: AnswerRules): string {
  const field = fields.find(({ name }) => name === 'reply-to')
  const wished = (field && parseMailboxes(fieldValue(field))) ?? []
  const known = [domainOf(from.address), ...proven].map(organizationOf)
  const chosen = wished
    .map(({ address }) => address)
    // An address of the relay would create a loop.
    .filter((address) => asciiOf(domainOf(address)) !== asciiOf(relayDomain))
    .find((address) => known.includes(organizationOf(domainOf(address))))
  return chosen ?? from.address
}

/** `proven` are the proven mail domains of the app. */
export type AnswerRules = { relayDomain: string; proven: string[] }

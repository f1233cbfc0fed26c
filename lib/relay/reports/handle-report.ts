import { type Answer, answers } from '#lib/relay/answers'
import type { Incoming } from '#lib/relay/message/incoming'
import { readFields } from '#lib/relay/mime/header-fields'
import type { Destination } from '#lib/relay/recipient/judge-recipient'
import type { Relay } from '#lib/relay/relay'
import { type BounceVerdict, judgeBounce, noteReturnedMail } from './judge-bounce.ts'
import { isDeliveryReport, mostRead, readReport } from './read-report.ts'

const day = 86_400
const mostNotices = { most: 20, seconds: day }
/** The limit of parsed reports: parsing is expensive, and further reports on the same alias add nothing. */
const mostReports = { most: 100, seconds: 3600 }

/**
 * Handles a delivery report about a message of the relay (RFC 3464 §2); it is neither forwarded nor answered (relay
 * §7).
 */
export async function handleReport(
  relay: Relay,
  incoming: Incoming,
  { about, route, sentOn }: Report,
): Promise<Answer> {
  const isReport = isDeliveryReport(readFields(incoming.message.head), incoming.from)
  // Older servers write reports as plain text from the null sender; only parsing shows whether such mail is a report.
  if (!isReport && incoming.from !== '') return recordOutcome(relay, 'no_report', answers.reportsOnly)
  if (!(await relay.store.mayPass(`relay-reports:${about}:${route.alias}`, mostReports, relay.now())))
    return recordOutcome(relay, 'too_many', answers.taken)
  const report = await readReport(await incoming.message.beginning(mostRead))
  if (!report) return recordOutcome(relay, 'no_report', isReport ? answers.taken : answers.reportsOnly)
  const verdict = judgeBounce(report)
  if (about === 'reply') await noteReturnedReply(relay, route, verdict)
  else if (verdict === 'hard' && (await isOfThisInbox(relay, route, sentOn)))
    await noteReturnedMail(relay, incoming, route.person.id)
  return recordOutcome(relay, verdict, answers.taken)
}

type Report = Omit<Extract<Destination, { kind: 'report' }>, 'kind'>

/** A report about a previously bound address says nothing about the current one. */
async function isOfThisInbox({ store }: Relay, { person }: Report['route'], sentOn: Date): Promise<boolean> {
  const changed = await store.lastAddressChange(person.id)
  return changed === undefined || sentOn > changed
}

async function noteReturnedReply(
  relay: Relay,
  { person, app, label }: Report['route'],
  verdict: BounceVerdict,
): Promise<void> {
  if (verdict === 'not failed') return
  if (!(await relay.store.mayPass(`relay-notices:${person.id}`, mostNotices, relay.now()))) return
  await relay.events.replyReturned(person.id, app ? { app: app.name } : { label })
}

function recordOutcome(relay: Relay, outcome: string, answer: Answer): Answer {
  relay.events.outcome('report', outcome)
  return answer
}

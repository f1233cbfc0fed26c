import { type Answer, answers } from './answers.ts'
import { fingerprintOf } from './fingerprint.ts'
import { judgeBounce } from './judge-bounce.ts'
import type { Destination } from './judge-recipient.ts'
import type { Incoming } from './receive.ts'
import { readReport } from './read-report.ts'
import type { Relay } from './relay.ts'

const day = 86_400
const toPause = 3
const mostNotices = { most: 20, seconds: day }

/** A delivery report about a message of ours: read, never passed on, never answered (relay §7). */
export async function takeReport(relay: Relay, incoming: Incoming, { about, route }: Report): Promise<Answer> {
  const report = await readReport(incoming.message, incoming.from)
  if (!report) return told(relay, 'no_report', answers.reportsOnly)
  const verdict = judgeBounce(report)
  if (about === 'reply') await noteReturnedReply(relay, route, verdict)
  else if (verdict === 'hard') await noteReturnedMail(relay, incoming, route.person.id)
  return told(relay, `${about}_${verdict}`, answers.taken)
}

type Report = Omit<Extract<Destination, { kind: 'report' }>, 'kind'>

/** Three of them in a day, and nothing more is sent to an inbox that is not there. */
async function noteReturnedMail(relay: Relay, incoming: Incoming, personId: string): Promise<void> {
  const now = relay.now()
  const id = fingerprintOf(relay.keys.mark, incoming)
  const count = await relay.store.noteReturned(id, personId, now, new Date(now.getTime() - day * 1000))
  if (count >= toPause && (await relay.store.pauseMail(personId, now))) await relay.tell.mailPaused(personId)
}

async function noteReturnedReply(relay: Relay, { person, app }: Report['route'], verdict: string): Promise<void> {
  if (verdict === 'delivered' || verdict === 'delayed') return
  if (!(await relay.store.mayPass(`relay-notices:${person.id}`, mostNotices, relay.now()))) return
  await relay.tell.replyReturned(person.id, app.name)
}

function told(relay: Relay, outcome: string, answer: Answer): Answer {
  relay.tell.outcome('report', outcome)
  return answer
}

import { type Answer, answers } from '#lib/relay/answers'
import { duplicateGuard } from '#lib/relay/message/duplicate-guard'
import { checkHead, loopMark, traceField } from '#lib/relay/message/head'
import type { Incoming } from '#lib/relay/message/incoming'
import { readFields } from '#lib/relay/mime/header-fields'
import { keepRecords, sendMessage } from '#lib/relay/outbound/send-message'
import { mayPassFrom } from '#lib/relay/recipient/judge-recipient'
import type { Relay } from '#lib/relay/relay'

const limits = { all: { most: 500, seconds: 86_400 }, network: { most: 50, seconds: 86_400 } }

/**
 * Forwards mail for postmaster@ and abuse@ to the operator, with a Received field and a loop marker added (RFC 5321
 * §4.5.1, RFC 2142).
 */
export async function forwardToOperator(relay: Relay, incoming: Incoming): Promise<Answer> {
  const fields = readFields(incoming.message.head)
  const mark = loopMark(relay.keys.mark[0], 'operator')
  const head = checkHead(fields, mark)
  if (head.kind === 'loop') return recordOutcome(relay, 'loop', answers.loop)
  if (head.kind === 'sound' && isOurs(head.from.address, relay.domain))
    return recordOutcome(relay, 'not_ours', answers.unauthenticated)
  const receipt = duplicateGuard(relay, incoming, fields)
  if (await receipt.wasTaken()) return recordOutcome(relay, 'repeated', answers.taken)
  if (!(await withinLimits(relay, incoming.client.ip))) return recordOutcome(relay, 'too_many', answers.tooMany)
  const { outcome, answer } = await sendMessage(relay, {
    // Sent with the null sender, so that a bounce cannot loop.
    envelope: { from: '', to: relay.operator },
    fields: [traceField(relay, incoming, incoming.to), mark, ...fields],
    body: incoming.message,
    answerBy: incoming.answerBy,
    saysUtf8: incoming.saysUtf8,
    unsigned: true,
  })
  if (outcome === 'taken') await keepRecords(relay, [receipt.keep()])
  return recordOutcome(relay, outcome, answer)
}

/** The relay never writes to the operator, so a From at the relay's domain or below is forged. */
const isOurs = (address: string, domain: string) =>
  `.${address.slice(address.lastIndexOf('@') + 1).toLowerCase()}`.endsWith(`.${domain.toLowerCase()}`)

/**
 * This mail is unauthenticated, so each network also has a limit of its own, which is lower than the limit of all.
 */
async function withinLimits(relay: Relay, address: string): Promise<boolean> {
  if (!(await mayPassFrom(relay, 'relay-operator', address, limits.network))) return false
  return relay.store.mayPass('relay-operator', limits.all, relay.now())
}

function recordOutcome(relay: Relay, outcome: string, answer: Answer): Answer {
  relay.events.outcome('operator', outcome)
  return answer
}

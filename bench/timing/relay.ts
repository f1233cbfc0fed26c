import { randomBytes } from 'node:crypto'
import { openDatabase } from '#lib/db/engine/client'
import { makeAliasName } from '#lib/relay/recipient/local-part'
import { speakSmtp } from '#lib/testing/relay/speak-smtp'
import { startRelay } from '../relay/postern.ts'
import { renderTimes } from './table.ts'

const networks = 25
/** Unknown addresses for each network: fewer than the number after which the relay delays the network. */
const triesEach = 40

/**
 * Compares the response times of two refusals: of a switched-off relay address and of one that never existed.
 * Alternates 1,000 attempts of each over enough networks to stay below the limits.
 */
export async function compareRecipientTimes(): Promise<string> {
  // Port 1: no message reaches the next hop.
  const relay = await startRelay(1)
  const closed = relay.recipients.slice(0, (networks + 1) * triesEach)
  await switchOff(relay.databaseUrl, closed)
  const times = { closed: [] as number[], unknown: [] as number[] }
  for (let network = 0; network <= networks; network++) {
    const smtp = await speakSmtp(relay.port, `127.0.${network}.2`)
    await smtp.say('EHLO mail.acme.example')
    await smtp.say('MAIL FROM:<news@acme.example>')
    for (let at = 0; at < triesEach; at++) {
      const asked = {
        closed: closed[network * triesEach + at] as string,
        unknown: `${makeAliasName(randomBytes)}@relay.localhost`,
      }
      for (const kind of at % 2 === 0 ? (['closed', 'unknown'] as const) : (['unknown', 'closed'] as const)) {
        const began = performance.now()
        const { code, text } = await smtp.say(`RCPT TO:<${asked[kind]}>`)
        const took = (performance.now() - began) / 1000
        if (code !== 550 || !text.startsWith(enhanced[kind])) throw new Error(`Unexpected answer: ${code} ${text}`)
        // The first connection is a warm-up.
        if (network > 0) times[kind].push(took)
      }
    }
    smtp.close()
  }
  await relay.stop()
  return renderTimes('mail for', {
    'an address switched off': times.closed,
    'an unknown address': times.unknown,
  })
}

const enhanced = { closed: '5.2.1', unknown: '5.1.1' }

async function switchOff(databaseUrl: string, recipients: string[]) {
  const database = await openDatabase(databaseUrl)
  const names = recipients.map((recipient) => recipient.slice(0, recipient.indexOf('@')))
  await database.prisma.alias.updateMany({ where: { address: { in: names } }, data: { disabledAt: new Date() } })
  await database.close()
}

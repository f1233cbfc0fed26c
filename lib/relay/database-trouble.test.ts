import { describe, expect, it, onTestFinished } from 'vitest'
import { timeoutsFor } from '#lib/db/engine/timeouts'
import { freshUrl } from '#lib/testing/databases/databases'
import { applyProvision } from '#lib/testing/databases/provisioned-database'
import { acme, testKey } from '#lib/testing/process/postern'
import { openLine } from '#lib/testing/relay/line'
import { appMessage, openRelayTest } from '#lib/testing/relay/relay'
import { speakSmtp } from '#lib/testing/relay/speak-smtp'

const later = { code: 451, text: expect.stringMatching(/^4\./) }

/** A relay that reaches its PostgreSQL through a breakable line. */
async function setUp() {
  const url = await freshUrl('postgresql')
  await applyProvision({ DATABASE_URL: url, SECRET_KEY: testKey, DEMO: '0' }, acme)
  const line = await openLine(Number(new URL(url).port))
  onTestFinished(() => line.cut())
  const timeouts = { ...timeoutsFor(4000, 4), connect: 1000, answer: 1000 }
  return { line, ...(await openRelayTest({ kind: 'postgresql', env: { DATABASE_URL: line.through(url) }, timeouts })) }
}

type Relay = Awaited<ReturnType<typeof setUp>>
const troubles: [string, (relay: Relay) => unknown][] = [
  ['is away', ({ line }) => line.cut()],
  ['falls silent', ({ line }) => line.fallSilent('new ones too')],
]

describe.each(troubles)('while PostgreSQL %s', (_, begin) => {
  it('answers with a temporary failure and accepts mail when the database is back', async () => {
    const relay = await setUp()
    expect(await relay.send()).toMatchObject({ code: 250 })
    await begin(relay)
    expect(await relay.send()).toEqual(later)
    expect(await relay.send()).toEqual(later)
    await relay.line.mend()
    await expect
      .poll(() => relay.send({ message: appMessage(relay.alias, { body: 'Again.\r\n' }) }))
      .toMatchObject({ code: 250 })
    expect(relay.hop.arrived).toHaveLength(2)
  })

  it('rejects the current message temporarily and keeps the connection', async () => {
    const relay = await setUp()
    const smtp = await speakSmtp(relay.server.port)
    for (const line of ['EHLO mail.acme.example', 'MAIL FROM:<news@acme.example>', `RCPT TO:<${relay.alias}>`, 'DATA'])
      expect((await smtp.say(line)).code).toBeLessThan(400)
    await begin(relay)
    expect(await smtp.say(Buffer.from(`${appMessage(relay.alias)}\r\n.\r\n`))).toEqual(later)
    expect(relay.hop.arrived).toEqual([])
    expect(await smtp.say('NOOP')).toMatchObject({ code: 250 })
    smtp.close()
    await relay.line.mend()
  })
})

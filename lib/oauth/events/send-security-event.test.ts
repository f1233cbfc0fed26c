import { describe, expect, it } from 'vitest'
import { kinds } from '#lib/testing/databases/databases'
import { shareEvents } from '#lib/testing/events/share-events'
import { sealAuthorization } from './receiver-authorization.ts'

describe.each(kinds)('requests to the receiver of security events on %s', (kind) => {
  const { shared, register, events, settled, arrivals, nudge, signIn } = shareEvents(kind)
  const now = () => shared.postern.clock.now
  const prisma = () => shared.postern.context.database.prisma

  it('carry the header value of their receiver, which the database does not show', async () => {
    const { personId } = await signIn(['one', 'two'])
    const sealedAuthorization = sealAuthorization(shared.postern.context, 'one', 'Bearer of-the-receiver')
    await register('one', { sealedAuthorization })
    expect(JSON.stringify(await prisma().eventReceiver.findMany())).not.toContain('of-the-receiver')
    await shared.postern.context.signUps.setPassword(personId, 'hash', now())
    nudge()
    await settled()
    const sent = shared.receiver.arrived.map(({ path, headers }) => [
      path,
      headers.authorization,
      headers['content-type'],
    ])
    expect(sent.sort()).toEqual([
      ['/one', 'Bearer of-the-receiver', 'application/secevent+jwt'],
      ['/two', undefined, 'application/secevent+jwt'],
    ])
  })

  it('are set aside when the receiver answers 400 with an error, and the others go on', async () => {
    const { personId } = await signIn(['one', 'two'])
    const description = `<script>alert(1)</script>\n\u202e${'x'.repeat(5000)}`
    shared.receiver.answers.set('/one', { status: 400, body: JSON.stringify({ err: 'invalid_key', description }) })
    await shared.postern.context.signUps.setPassword(personId, 'hash', now())
    nudge()
    await arrivals(2)
    await expect.poll(async () => events().count({ where: { state: 'waiting' } })).toBe(0)
    const [row] = await shared.postern.context.eventReceivers.listEvents('one', undefined, 10)
    expect(row).toMatchObject({ state: 'rejected', attempts: 1 })
    expect(row?.refusal).toMatch(/^invalid_key: <script>alert\(1\)<\/script> x+$/)
    expect(row?.refusal.length).toBeLessThanOrEqual(220)
    shared.receiver.answers.clear()
    await shared.postern.context.signUps.setPassword(personId, 'hash', now())
    nudge()
    await arrivals(4)
    await expect.poll(async () => events().count({ where: { state: 'delivered' } })).toBe(3)
  })

  it.each(['', 'no JSON', '{"err": "two words"}', '{"err": 7}', '[]', 'null'])(
    'are set aside when the receiver answers 400 with the body %j, which names no error',
    async (body) => {
      const { personId } = await signIn(['one'])
      shared.receiver.answers.set('/one', { status: 400, body })
      await shared.postern.context.signUps.setPassword(personId, 'hash', now())
      nudge()
      await arrivals(1)
      await expect.poll(async () => (await events().findFirst())?.state).toBe('rejected')
      expect(await events().findFirst()).toMatchObject({ attempts: 1, refusal: 'the receiver answered 400' })
    },
  )

  it.each([
    [400, `{"err":"invalid_key","x":"${'x'.repeat(65_536)}"}`],
    [401, '{"err": "authentication_failed"}'],
    [500, ''],
    [302, ''],
  ])('wait for another attempt when the receiver answers %s (%#)', async (status, body) => {
    // After an answer that is no answer, the queue leaves the receiver alone for ten seconds.
    shared.postern.later(11)
    const { personId } = await signIn(['one'])
    shared.receiver.answers.set('/one', { status, body })
    await shared.postern.context.signUps.setPassword(personId, 'hash', now())
    nudge()
    await arrivals(1)
    await expect.poll(async () => (await events().findFirst())?.version).toBe(2)
    expect(await events().findFirst()).toMatchObject({
      state: 'waiting',
      attempts: 1,
      refusal: expect.stringMatching(/./),
    })
  })
})

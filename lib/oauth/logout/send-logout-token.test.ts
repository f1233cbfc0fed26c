import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { deletionStore } from '#lib/db/account/deletion-store'
import { sweeps } from '#lib/db/jobs/sweep-store'
import { deliveryStore } from '#lib/db/logout/delivery-store'
import { giveUpDeliveries } from '#lib/server/jobs/give-up-deliveries'
import { startJobs } from '#lib/server/jobs/jobs'
import { sweep } from '#lib/server/jobs/sweep'
import { recordedAt } from '#lib/testing/admin/recorded-at'
import { kinds } from '#lib/testing/databases/databases'
import { shareLogouts } from '#lib/testing/oauth/share-logouts'

const hour = 3600

describe.each(kinds)('logout tokens on %s', (kind) => {
  const { shared, waiting, rows, arrivals, signIn, end } = shareLogouts(kind)
  const retry = (seconds: number) => {
    shared.postern.later(seconds)
    shared.postern.context.deliveries.nudge()
  }
  /**
   * Waits until no attempt is in flight: the claim of an attempt and the scheduling of the next one each change the
   * version.
   */
  const untilItWaits = (attempts = 1) =>
    expect.poll(async () => (await waiting().findFirst())?.version, { timeout: 5000 }).toBe(2 * attempts)

  it('reach every app that received tokens in the session, and no other app or session', async () => {
    const session = await signIn(['one', 'two', 'foreign', 'silent'])
    await signIn(['one'])
    await end(session.id)
    await arrivals(3)
    expect(
      shared.receiver
        .claims()
        .map(({ aud }) => aud)
        .sort(),
    ).toEqual(['foreign', 'one', 'two'])
    await expect.poll(rows).toEqual([])
  })

  it('are signed with the algorithm of the app’s ID tokens, and have their sid, also after a confirmation', async () => {
    const first = await signIn(['classic'])
    const second = await signIn(['classic'], { of: first.id })
    await shared.postern.context.signIn.endReplacedSession(first.id, shared.postern.context.now())
    expect(await rows()).toEqual([])
    await end(second.id)
    await arrivals(1)
    const [token = ''] = shared.receiver.tokens()
    const keys = createLocalJWKSet({ keys: await shared.postern.context.oauth.keys.published() })
    const { payload } = await jwtVerify(token, keys, { currentDate: shared.postern.clock.now })
    const idTokens = [...first.tokens, ...second.tokens].map(({ id_token }) =>
      JSON.parse(atob(id_token.split('.')[1] ?? '')),
    )
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' })
    expect(idTokens.map(({ sid }) => sid)).toEqual([payload.sid, payload.sid])
  })

  it('arrive after the receiver was down for an hour, with a new token for each attempt', async () => {
    shared.receiver.status = 503
    const session = await signIn(['one'])
    await end(session.id)
    await arrivals(1)
    for (let attempts = 2; attempts <= 8; attempts += 1) {
      await untilItWaits(attempts - 1)
      retry(hour / 6)
      await arrivals(attempts)
    }
    shared.receiver.status = 204
    await untilItWaits(8)
    retry(hour / 6)
    await arrivals(9)
    await expect.poll(rows).toEqual([])
    expect(new Set(shared.receiver.claims().map(({ jti }) => jti)).size).toBe(9)
    expect(new Set(shared.receiver.claims().map(({ iat }) => iat)).size).toBe(9)
    const failures = await shared.postern.failures('one')
    expect(failures).toMatchObject([
      { endpoint: 'backchannel_logout', code: 'retried', reason: 'the app answered 503' },
    ])
  })

  it('are given up after a day, which the app’s failures and the metrics show', async () => {
    shared.receiver.status = 400
    const session = await signIn(['one'])
    await end(session.id)
    await arrivals(1)
    await untilItWaits()
    retry(24 * hour)
    await arrivals(2)
    await expect.poll(rows).toEqual([])
    await expect
      .poll(async () => (await shared.postern.failures('one')).map(({ code }) => code).sort())
      .toEqual(['given_up', 'retried'])
    expect(await shared.postern.context.metrics.registry.metrics()).toContain('logouts_total{outcome="given_up"} 1')
  })

  it('are sent once by two nodes that are nudged eight times at once', async () => {
    const session = await signIn(['one', 'two'])
    shared.receiver.hold = new Promise((resolve) => setImmediate(resolve))
    await end(session.id)
    for (let i = 0; i < 4; i += 1) for (const node of [shared.postern.context, shared.other]) node.deliveries.nudge()
    await arrivals(2)
    await expect.poll(rows).toEqual([])
    expect(
      shared.receiver
        .claims()
        .map(({ aud }) => aud)
        .sort(),
    ).toEqual(['one', 'two'])
  })

  it('are claimed by one of eight processes, and sent again by another when that process was killed', async () => {
    shared.receiver.status = 503
    const session = await signIn(['one'])
    await end(session.id)
    await arrivals(1)
    await untilItWaits()
    shared.postern.later(hour)
    const store = deliveryStore(shared.postern.context.database.prisma)
    const [due] = await store.findDue('one', shared.postern.clock.now, 1)
    if (!due) throw new Error('Nothing is due.')
    const until = new Date(shared.postern.clock.now.getTime() + 30_000)
    const claims = await Promise.all(Array.from({ length: 8 }, () => store.claim(due, until)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await store.findDue('one', shared.postern.clock.now, 1)).toEqual([])
    shared.receiver.status = 200
    shared.postern.later(30)
    shared.other.deliveries.nudge()
    await expect.poll(rows).toEqual([])
    expect(shared.receiver.arrived).toHaveLength(2)
  })

  it('are sent by the background job when a command has queued them', async () => {
    const session = await signIn(['one'])
    const stopJobs = startJobs(shared.postern.context)
    await deletionStore(shared.postern.context.database.prisma).askNow(
      session.personId,
      recordedAt(shared.postern.clock.now),
    )
    await arrivals(1)
    await stopJobs()
    await expect.poll(rows).toEqual([])
    await shared.postern.context.database.prisma.person.updateMany({ data: { deleteAfter: null } })
  })

  it('are not lost when the session of an app ends again while a token is being sent', async () => {
    shared.receiver.status = 503
    const session = await signIn(['one'])
    await end(session.id)
    await arrivals(1)
    await untilItWaits()
    const store = deliveryStore(shared.postern.context.database.prisma)
    shared.postern.later(hour)
    const [due] = await store.findDue('one', shared.postern.clock.now, 1)
    const claimed = due && (await store.claim(due, new Date(shared.postern.clock.now.getTime() + 30_000)))
    if (!claimed) throw new Error('Nothing was claimed.')
    await shared.postern.context.consents.withdrawConsent(session.personId, 'one', shared.postern.clock.now)
    expect(await store.settle(claimed, { outcome: 'delivered', reason: '', at: shared.postern.clock.now })).toBe(false)
    expect(await rows()).toEqual([`one ${session.id}`])
    // The next test begins when no delivery is in flight.
    await arrivals(2)
  })

  it('wait together while their host cannot be reached', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => signIn(['dead'])))
    await shared.postern.context.sessions.endOthers(
      sessions[0]?.personId as string,
      undefined,
      shared.postern.clock.now,
    )
    const failures = async () =>
      (await shared.postern.failures('dead')).map(({ reason, count }) => `${count} ${reason}`)
    await expect.poll(failures).toEqual(['4 no answer: ECONNREFUSED'])
    // The delivery to another app shows that the queue was read again.
    await end((await signIn(['one'])).id)
    await arrivals(1)
    const attempts = async () => (await waiting().findMany()).map((row) => row.attempts).sort()
    await expect.poll(attempts).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
    retry(10)
    await expect.poll(failures).toEqual(['8 no answer: ECONNREFUSED'])
  })

  describe('that are overdue', () => {
    const many = 60
    const overdue = 24 * hour + 1
    /** Queues deliveries to an app that is unreachable. */
    async function queueMany() {
      const { now } = shared.postern.clock
      const until = new Date(now.getTime() + 24 * hour * 1000)
      const row = { appId: 'dead', sub: 'sub', version: 0, attempts: 0, nextAt: now, until, createdAt: now }
      const data = Array.from({ length: many }, (_, index) => ({ ...row, sessionId: `overdue-${index}` }))
      await waiting().createMany({ data })
    }
    const givenUp = async () => {
      const { values } = await shared.postern.context.metrics.logouts.get()
      return values.find(({ labels }) => labels.outcome === 'given_up')?.value ?? 0
    }

    it('are all given up, which the app’s failures and the metrics show, and none is swept', async () => {
      const { context, clock } = shared.postern
      const before = await givenUp()
      await queueMany()
      await giveUpDeliveries(context)
      expect(await waiting().count()).toBe(many)
      shared.postern.later(3 * overdue)
      await sweep(sweeps(context.database), clock.now, () => undefined)
      await giveUpDeliveries(context)
      expect(await rows()).toEqual([])
      expect((await givenUp()) - before).toBe(many)
      const failures = async () => (await shared.postern.failures('dead')).map(({ code, count }) => `${count} ${code}`)
      await expect.poll(failures).toEqual([`${many} given_up`])
    })

    it('are each given up by one of eight processes', async () => {
      const store = deliveryStore(shared.postern.context.database.prisma)
      await queueMany()
      shared.postern.later(overdue)
      const results = await Promise.all(Array.from({ length: 8 }, () => store.giveUp(shared.postern.clock.now, many)))
      expect(results.flat().reduce((sum, { count }) => sum + count, 0)).toBe(many)
      expect(await rows()).toEqual([])
    })

    it('stay while an attempt is in flight, and when the session ends again', async () => {
      const store = deliveryStore(shared.postern.context.database.prisma)
      await queueMany()
      shared.postern.later(overdue)
      const { now } = shared.postern.clock
      const [leased, requeued] = await store.findDue('dead', now, 2)
      if (!leased || !requeued) throw new Error('Nothing is due.')
      await store.claim(leased, new Date(now.getTime() + 30_000))
      const { appId, sessionId, version } = requeued
      const again = { version: version + 1, nextAt: now, until: new Date(now.getTime() + 24 * hour * 1000) }
      await waiting().update({ where: { appId_sessionId: { appId, sessionId } }, data: again })
      expect(await store.giveUp(now, 10)).toEqual([{ appId: 'dead', count: 10, attempts: 0 }])
      expect(await store.giveUp(now, many)).toEqual([{ appId: 'dead', count: many - 12, attempts: 0 }])
      expect(await rows()).toEqual([leased, requeued].map((one) => `dead ${one.sessionId}`).sort())
      const later = new Date(now.getTime() + 30_000)
      expect(await store.giveUp(later, many)).toEqual([{ appId: 'dead', count: 1, attempts: 1 }])
    })
  })
})

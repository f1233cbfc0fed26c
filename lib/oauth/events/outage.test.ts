import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { sweeps } from '#lib/db/jobs/sweep-store'
import { giveUpDeliveries } from '#lib/server/jobs/give-up-deliveries'
import { sweep } from '#lib/server/jobs/sweep'
import { kinds } from '#lib/testing/databases/databases'
import { shareEvents } from '#lib/testing/events/share-events'

const hour = 3600

describe.each(kinds)('a receiver of security events on %s', (kind) => {
  const { shared, act, register, events, settled, arrivals, nudge, signIn } = shareEvents(kind)
  const now = () => shared.postern.clock.now
  const change = (personId: string) => shared.postern.context.signUps.setPassword(personId, 'hash', now())
  const waiting = (appId: string) => events().findMany({ where: { appId, state: 'waiting' } })
  /** Waits until no event of the app is due, and none is leased, which makes it due in exactly 30 seconds. */
  const untilQuiet = (appId: string) => {
    const isBusy = (seconds: number) => seconds <= 0 || seconds === 30
    const busy = async () =>
      (await waiting(appId)).filter(({ nextAt }) => isBusy((nextAt.getTime() - now().getTime()) / 1000)).length
    return expect.poll(busy, { timeout: 30_000 }).toBe(0)
  }

  it('gets everything after it was down for two hours, while the others get everything at once', async () => {
    const { id, personId } = await signIn(['one', 'two'])
    shared.receiver.answers.set('/one', { status: 503 })
    for (let tenMinutes = 0; tenMinutes < 12; tenMinutes += 1) {
      await change(personId)
      nudge()
      await expect.poll(async () => (await waiting('two')).length, { timeout: 30_000 }).toBe(0)
      await untilQuiet('one')
      shared.postern.later(hour / 6)
    }
    await shared.postern.context.signIn.endSession(id, now())
    nudge()
    // An attempt that fails only after the clock has gone on would be due later than the clock of this test ever is.
    await untilQuiet('one')
    const missed = (await waiting('one')).map((event) => event.id)
    expect(missed).toHaveLength(13)
    expect(shared.receiver.arrived.filter(({ path }) => path === '/two').length).toBeGreaterThanOrEqual(12)
    shared.receiver.forget()
    shared.postern.later(hour / 6)
    nudge()
    await settled()
    const keys = createLocalJWKSet({ keys: await shared.postern.context.oauth.keys.published() })
    const options = { issuer: shared.postern.context.config.issuer, audience: 'one', typ: 'secevent+jwt' }
    const tokens = shared.receiver.arrived.filter(({ path }) => path === '/one').map(({ token }) => token)
    const payloads = await Promise.all(
      tokens.map(async (token) => (await jwtVerify(token, keys, { ...options, currentDate: now() })).payload),
    )
    expect(new Set(payloads.map(({ jti }) => jti))).toEqual(new Set(missed))
  })

  it('gets each event once from three nodes that are woken eight times each', async () => {
    const { personId } = await signIn(['one', 'two', 'foreign'])
    for (let one = 0; one < 20; one += 1) await change(personId)
    const nodes = [shared.postern.context, ...shared.others]
    for (let one = 0; one < 8; one += 1) for (const node of nodes) node.deliveries.nudge()
    await settled()
    expect(shared.receiver.arrived).toHaveLength(60)
    expect(new Set(shared.receiver.arrived.map(({ token }) => token.split('.')[1])).size).toBe(60)
  })

  it('gets an event again, with the same jti, when the node that sent it has ended before the answer', async () => {
    const { personId } = await signIn(['one'])
    const { promise, resolve } = Promise.withResolvers<void>()
    shared.receiver.hold = promise
    await change(personId)
    nudge()
    await arrivals(1)
    shared.postern.later(31)
    shared.receiver.hold = undefined
    shared.others[0]?.deliveries.nudge()
    await arrivals(2)
    resolve()
    await settled()
    const [first, second] = shared.receiver.arrived.map(({ token }) => token.split('.')[1])
    expect(first).toBe(second)
  })

  it('gets nothing while it is paused, and everything afterwards', async () => {
    const { personId } = await signIn(['one', 'two'])
    const { eventReceivers } = shared.postern.context
    expect(await eventReceivers.setPaused('one', true, act())).toBe(true)
    await change(personId)
    nudge()
    await arrivals(1)
    await untilQuiet('two')
    expect(shared.receiver.arrived.map(({ path }) => path)).toEqual(['/two'])
    await eventReceivers.setPaused('one', false, act())
    nudge()
    await settled()
    expect(shared.receiver.types('/one')).toEqual(['credential-change'])
  })

  it('gets the events of the last day again, with the same jti and time', async () => {
    const { personId } = await signIn(['one'])
    const { eventReceivers } = shared.postern.context
    const send = async () => {
      await change(personId)
      nudge()
      await settled()
    }
    await send()
    shared.postern.later(hour)
    await send()
    shared.postern.later(23.5 * hour)
    const sent = shared.receiver.arrived.map(({ token }) => token.split('.')[1])
    shared.receiver.forget()
    expect(await eventReceivers.replay('one', new Date(now().getTime() - 24 * hour * 1000), act())).toBe(1)
    nudge()
    await settled()
    expect(shared.receiver.arrived.map(({ token }) => token.split('.')[1])).toEqual(sent.slice(1))
  })

  it('gets more events again than one statement changes', async () => {
    const at = now()
    const until = new Date(at.getTime() + 1)
    const row = { appId: 'one', type: 'access-withdrawn', sub: 'sub', claims: '{}', state: 'delivered' }
    const data = Array.from({ length: 1201 }, (_, index) => ({
      ...{ ...row, id: `many-${index}`, version: 2, attempts: 1, nextAt: at, until },
      createdAt: new Date(at.getTime() + Math.floor(index / 700)),
    }))
    await events().createMany({ data })
    await shared.postern.context.eventReceivers.setPaused('one', true, act())
    expect(await shared.postern.context.eventReceivers.replay('one', at, act())).toBe(1201)
    expect(await waiting('one')).toHaveLength(1201)
    expect(await shared.postern.context.eventReceivers.replay('one', at, act())).toBe(0)
  })

  it('gets a verification that names the stream, and one at a time', async () => {
    const { eventReceivers } = shared.postern.context
    const queued = await Promise.all(Array.from({ length: 8 }, () => eventReceivers.verify('one', act())))
    expect(queued.sort()).toEqual(['queued', ...Array(7).fill('waiting')])
    nudge()
    await settled()
    const payload = JSON.parse(
      Buffer.from(shared.receiver.arrived[0]?.token.split('.')[1] ?? '', 'base64url').toString(),
    )
    expect(payload.sub_id).toEqual({ format: 'opaque', id: 'one' })
    expect(payload.events).toEqual({ 'https://schemas.openid.net/secevent/ssf/event-type/verification': {} })
    expect(await eventReceivers.verify('unused', act())).toBe('unknown')
  })

  it('gets an event no more after a day, which is given up and a day later swept', async () => {
    const { personId } = await signIn(['one', 'two'])
    await shared.postern.context.eventReceivers.setPaused('one', true, act())
    await change(personId)
    nudge()
    await arrivals(1)
    await untilQuiet('two')
    shared.postern.later(24 * hour + 1)
    await giveUpDeliveries(shared.postern.context)
    expect((await events().findMany({ orderBy: { appId: 'asc' } })).map(({ state }) => state)).toEqual([
      'given_up',
      'delivered',
    ])
    await sweep(sweeps(shared.postern.context.database), now(), () => undefined)
    expect(await events().count()).toBe(2)
    shared.postern.later(24 * hour)
    await sweep(sweeps(shared.postern.context.database), now(), () => undefined)
    expect(await events().count()).toBe(0)
  })

  it('gets nothing after its removal, and a change of an account goes on', async () => {
    const { personId } = await signIn(['one'])
    shared.receiver.answers.set('/one', { status: 503 })
    await change(personId)
    expect(await shared.postern.context.eventReceivers.remove('one', act())).toBe(true)
    expect(await shared.postern.context.eventReceivers.remove('one', act())).toBe(false)
    await Promise.all([change(personId), change(personId), register('one'), change(personId)])
    await shared.postern.context.eventReceivers.remove('one', act())
    expect(await events().count()).toBe(0)
    expect(shared.receiver.arrived).toEqual([])
  })
})

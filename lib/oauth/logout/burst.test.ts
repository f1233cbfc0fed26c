import { describe, expect, it, onTestFinished } from 'vitest'
import { deliveryStore } from '#lib/db/logout/delivery-store'
import { openOutbound } from '#lib/http/outbound'
import { findLanes } from '#lib/queue/deliveries'
import { openDeliveryQueue } from '#lib/queue/delivery-queue'
import type { Context } from '#lib/server/compose/context'
import { kinds } from '#lib/testing/databases/databases'
import { shareLogouts } from '#lib/testing/oauth/share-logouts'
import { makeDns } from '#lib/testing/relay/zone'
import { logoutDeliveries } from './send-logout-token.ts'

const many = 200

describe.each(kinds)('a burst of logout tokens on %s', (kind) => {
  const { shared, rows, arrivals } = shareLogouts(kind)
  const audiences = () => shared.receiver.claims().map(({ aud }) => String(aud))

  /** Queues one delivery for each session and each of these apps. */
  async function queue(apps: string[], sessions: number) {
    const { now } = shared.postern.clock
    const until = new Date(now.getTime() + 86_400_000)
    const times = { nextAt: now, until, createdAt: now }
    const data = apps.flatMap((appId) =>
      Array.from({ length: sessions }, (_, index) => ({
        ...{ appId, sessionId: `burst-${index}`, sub: 'sub', version: 0, attempts: 0 },
        ...times,
      })),
    )
    await shared.postern.context.database.prisma.logoutDelivery.createMany({ data })
  }
  const held = (part: 'hold' | 'body') => {
    const { promise, resolve } = Promise.withResolvers<void>()
    shared.receiver[part] = promise
    return resolve
  }
  /** Opens a queue on a node and runs it `times` times. Its requests wait long enough for the slowest machine. */
  function runPatiently({ oauth, database }: Context, times = 1) {
    const outbound = openOutbound({ evaluation: true, allow: [], resolver: makeDns({}).resolver, patience: 50_000 })
    const outcomes: string[] = []
    const deliveries = logoutDeliveries({
      ...oauth,
      ...{ store: deliveryStore(database.prisma), outbound },
      attempted: ({ outcome }) => void outcomes.push(outcome),
    })
    const queue = openDeliveryQueue({
      now: oauth.now,
      findLanes: () => findLanes(deliveries, oauth.now),
      fault: (fault) => void outcomes.push(String(fault)),
    })
    onTestFinished(queue.close)
    for (let time = 0; time < times; time += 1) queue.run()
    return outcomes
  }

  it('of 200 sessions, on two nodes that are woken 200 times each, sends each token once', async () => {
    await queue(['one'], many)
    const outcomes = [shared.postern.context, shared.other].map((node) => runPatiently(node, many))
    await arrivals(many)
    await expect.poll(rows).toEqual([])
    // The outcome of a delivery is reported after its row is deleted.
    await expect.poll(() => outcomes.flat()).toEqual(Array(many).fill('delivered'))
    expect(new Set(shared.receiver.claims().map(({ sid }) => sid)).size).toBe(many)
    expect(new Set(shared.receiver.claims().map(({ jti }) => jti)).size).toBe(many)
    // Each of the two nodes sends at most four at once to one host.
    expect(shared.receiver.mostWaiting).toBeLessThanOrEqual(8)
  })

  it.each(['hold', 'body'] as const)('has four requests at a host at most, whose answers have no %s', async (part) => {
    const release = held(part)
    await queue(['one', 'two'], 10)
    const outcomes = runPatiently(shared.postern.context)
    await arrivals(4)
    release()
    await arrivals(20)
    expect(shared.receiver.mostWaiting).toBe(4)
    expect(audiences().sort()).toEqual([...Array(10).fill('one'), ...Array(10).fill('two')])
    await expect.poll(rows).toEqual([])
    expect(new Set(outcomes)).toEqual(new Set(['delivered']))
  })

  /** Adds apps, each with a host of its own, until the test ends. */
  async function addHosts(count: number) {
    const { prisma } = shared.postern.context.database
    const { id: _, registration, ...app } = await prisma.app.findUniqueOrThrow({ where: { id: 'one' } })
    const ids = Array.from({ length: count }, (_, index) => `host-${1000 + index}`)
    const addressed = (id: string) => registration.replace('localhost', `${id}.localhost`)
    await prisma.app.createMany({ data: ids.map((id) => ({ ...app, id, registration: addressed(id) })) })
    onTestFinished(async () => void (await prisma.app.deleteMany({ where: { id: { in: ids } } })))
    return ids
  }

  it('begins with every host, if there are fewer hosts than slots', async () => {
    const ids = await addHosts(40)
    const release = held('hold')
    await queue(ids, 4)
    const outcomes = runPatiently(shared.postern.context)
    await arrivals(128)
    expect(new Set(audiences()).size).toBe(40)
    release()
    await expect.poll(() => outcomes.length, { timeout: 30_000 }).toBe(160)
  })

  it('reaches an app while 32 other hosts answer 503 slowly and have deliveries that waited longer', async () => {
    const hosts = await addHosts(33)
    const last = hosts.at(-1) as string
    const release = held('hold')
    await queue(hosts.slice(0, -1), 8)
    runPatiently(shared.postern.context)
    await arrivals(128)
    await queue([last], 8)
    shared.receiver.status = 503
    const releaseMore = held('hold')
    release()
    await arrivals(256)
    // A fair share of 128 requests for 33 hosts.
    expect(audiences().filter((aud) => aud === last).length).toBeGreaterThanOrEqual(3)
    releaseMore()
  })

  it('of 200 hosts has 128 requests at most, and reaches every host', async () => {
    const ids = await addHosts(many)
    const release = held('hold')
    await queue(ids, 1)
    const outcomes = runPatiently(shared.postern.context)
    await arrivals(128)
    release()
    await arrivals(many)
    expect(shared.receiver.mostWaiting).toBe(128)
    expect(audiences().sort()).toEqual([...ids].sort())
    await expect.poll(rows).toEqual([])
    expect(new Set(outcomes)).toEqual(new Set(['delivered']))
  })
})

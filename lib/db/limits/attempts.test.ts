import { expect, it } from 'vitest'
import type { Allowance, AttemptStore, Point } from '#lib/account/throttle/attempt'
import type { Database } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { attemptStore } from './attempts.ts'
import { attemptLimiter, networkLimiter } from './limits.ts'

const ten: Allowance = { free: 10, longest: 60, window: 3600 }

onBothDatabases('attempts', (open) => {
  async function setUp() {
    const database = await open()
    const clock = { now: new Date('2026-05-05T10:00:00.123Z') }
    const attempts = attemptStore(statementsOf(database), () => clock.now)
    const later = (seconds: number) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1000)
    }
    const take = async (key = 'k', allowance = ten) => (await attempts.take([{ key, ...allowance }]))[0]
    return { database, attempts, later, take }
  }

  const many = async <T>(times: number, run: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: times }, (_, index) => run(index)))
  const takenOf = (points: (Point | undefined)[]) => points.filter((point) => point !== undefined)
  const rows = ({ prisma }: Database) => prisma.attempt.count()
  const drain = async (attempts: AttemptStore, key: string, times: number) => {
    for (let time = 0; time < times; time++) await attempts.take([{ key, ...ten, free: 1000 }])
  }

  it('stores the rows in the index of their keys on SQLite', async () => {
    const { database, attempts } = await setUp()
    await attempts.take([{ key: 'k', ...ten }])
    if (database.kind === 'sqlite')
      expect(() => database.sqlite.driver.prepare('SELECT rowid FROM "Attempt"')).toThrow('rowid')
    expect(await database.prisma.attempt.findMany({ select: { key: true } })).toEqual([{ key: 'k' }])
  })

  it('allows ten of 200 concurrent attempts, then one after the wait', async () => {
    const { attempts, later, take } = await setUp()
    expect(takenOf(await many(200, () => take()))).toHaveLength(10)
    expect(await attempts.waitFor('k')).toBe(1)
    later(1)
    expect(takenOf(await many(200, () => take()))).toHaveLength(1)
    expect(await attempts.pointsOf('k')).toBe(11)
  })

  it('counts an attempt under the keys before one that must wait, and under no later one', async () => {
    const { database, attempts } = await setUp()
    const three = ['narrow', 'wide', 'account'].map((key) => ({ key, ...ten, free: key === 'wide' ? 5 : 10 }))
    const counted = await many(200, () => attempts.take(three))
    expect(counted.filter((points) => points.length === 3)).toHaveLength(5)
    expect(counted.filter((points) => points.length === 1)).toHaveLength(5)
    expect(await Promise.all(three.map(({ key }) => attempts.pointsOf(key)))).toEqual([10, 5, 5])
    expect(await rows(database)).toBe(3)
  })

  it('uses the other allowance of a key after one that is beyond its free attempts', async () => {
    const { attempts, later } = await setUp()
    const both = [
      { key: 'network', ...ten, free: 1 },
      { key: 'account', ...ten, free: 100, freeBeyond: 1 },
    ]
    const freeOfAccount = [{ key: 'account', ...ten, free: 100 }]
    expect(await attempts.take(both)).toMatchObject([{ heldUntil: expect.any(Number) }, { points: 1, heldUntil: 0 }])
    later(1)
    // The second attempt is beyond the free ones of the network.
    const [, account] = await attempts.take(both)
    expect(account).toMatchObject({ points: 2, heldUntil: attempts.now().getTime() + 2000 })
    later(2)
    expect((await attempts.take(freeOfAccount))[0]).toMatchObject({ points: 3, heldUntil: 0 })
  })

  it('doubles the wait up to the longest', async () => {
    const { attempts, later, take } = await setUp()
    const waits: number[] = []
    for (let time = 1; time <= 40; time++) {
      expect(await take()).toBeDefined()
      waits.push(await attempts.waitFor('k'))
      later(waits.at(-1) ?? 0)
    }
    expect(waits).toEqual([...Array(9).fill(0), 1, 2, 4, 8, 16, 32, ...Array(25).fill(60)])
  })

  it('starts a new count when the window is over', async () => {
    const { attempts, later, take } = await setUp()
    await many(10, () => take())
    later(3600)
    expect(takenOf(await many(30, () => take()))).toHaveLength(10)
    expect(await attempts.pointsOf('k')).toBe(10)
  })

  it('undoes one attempt and ends its wait, and deletes the row after the last attempt', async () => {
    const { database, attempts, take } = await setUp()
    const points = takenOf(await many(10, () => take()))
    const last = points.find(({ heldUntil }) => heldUntil > 0) as Point
    await attempts.giveBack(last, 1)
    expect([await attempts.waitFor('k'), await attempts.pointsOf('k')]).toEqual([0, 9])
    await Promise.all(points.filter((point) => point !== last).map((point) => attempts.giveBack(point, 1)))
    expect(await rows(database)).toBe(0)
  })

  it('deletes the row when the last attempts are undone together', async () => {
    const { database, attempts, take } = await setUp()
    for (let round = 0; round < 5; round++) {
      const points = takenOf(await many(8, () => take()))
      await Promise.all(points.map((point) => attempts.giveBack(point, 1)))
      expect(await rows(database)).toBe(0)
    }
  })

  it('never undoes other attempts', async () => {
    const { attempts, take } = await setUp()
    await drain(attempts, 'k', 5)
    const mine = takenOf(await many(4, () => take()))
    await Promise.all(mine.map((point) => attempts.giveBack(point, 1)))
    expect(await attempts.pointsOf('k')).toBe(5)
  })

  it('keeps a wait that a later attempt began', async () => {
    const { attempts, later, take } = await setUp()
    await drain(attempts, 'k', 9)
    const first = (await take()) as Point
    later(1)
    await take()
    await attempts.giveBack(first, 1)
    expect(await attempts.waitFor('k')).toBe(2)
  })

  it('keeps a wait that a stricter allowance began under the same key', async () => {
    const { attempts, take } = await setUp()
    await many(10, () => take())
    const [point] = (await attempts.take([{ key: 'k', ...ten, free: 1000 }])) as [Point]
    await attempts.giveBack(point, 1)
    expect(await attempts.waitFor('k')).toBe(1)
  })

  it('undoes no attempt of an earlier window', async () => {
    const { attempts, later, take } = await setUp()
    const early = (await take()) as Point
    later(3600)
    await many(3, () => take())
    await attempts.giveBack(early, 1)
    expect(await attempts.pointsOf('k')).toBe(3)
  })

  it('returns the count of a removed key to one of eight callers', async () => {
    const { attempts, take } = await setUp()
    await many(3, () => take())
    const removed = await many(8, () => attempts.remove('k'))
    expect(removed.filter(Boolean)).toEqual([{ points: 3, expire: new Date('2026-05-05T11:00:00.123Z') }])
  })

  it.each([-300, 300])('still delays attempts when a node’s clock is off by %i seconds', async (seconds) => {
    const { database, attempts, later } = await setUp()
    const skewed = attemptStore(statementsOf(database), () => new Date(attempts.now().getTime() + seconds * 1000))
    let looked = 0
    // For ten minutes, attempts alternate between two nodes, one each second.
    for (let second = 0; second < 600; second++) {
      looked += (await (second % 2 ? skewed : attempts).take([{ key: 'k', ...ten }])).length
      later(1)
    }
    expect(looked).toBeLessThan(10 + 6 + 10 + 6)
  })

  it('counts 30 of 200 concurrent attempts, and returns the wait of the others', async () => {
    const { attempts } = await setUp()
    const limiter = attemptLimiter(attempts, { name: 'n', points: 30, seconds: 600 })
    const waits = await many(200, () => limiter.fail('k'))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(30)
    expect(new Set(waits)).toEqual(new Set([0, 600]))
    expect(limiter.blockedFor('k')).toBe(600)
  })

  it('returns whether a block is in force', async () => {
    const { attempts, later } = await setUp()
    const limiter = attemptLimiter(attempts, { name: 'n', points: 1, seconds: 600 })
    await limiter.fail('k')
    expect(limiter.hasBlocks()).toBe(false)
    await limiter.fail('k')
    expect(limiter.hasBlocks()).toBe(true)
    later(599)
    expect(limiter.hasBlocks()).toBe(true)
    later(1)
    expect(limiter.hasBlocks()).toBe(false)
  })

  it('limits a customer with a whole /56 or /48, but not the neighbors of a customer with a /64', async () => {
    const { attempts } = await setUp()
    const limit = networkLimiter(attempts, { name: 'n', points: 2, seconds: 600 })
    const counted = async (address: (index: number) => string, times: number) => {
      let free = 0
      for (let index = 0; index < times; index++) if ((await limit.fail(address(index))) === 0) free++
      return free
    }
    expect(await counted((index) => `2001:db8:1:100::${index.toString(16)}`, 20)).toBe(2)
    expect(await counted((index) => `2001:db8:1:1${(index + 16).toString(16)}::1`, 60)).toBe(18)
    expect(await counted((index) => `2001:db8:1:${(index + 2).toString(16)}00::1`, 120)).toBe(40)
    expect(await counted((index) => `2001:db8:2:${index.toString(16)}00::1`, 120)).toBe(60)
    expect(await counted((index) => ['::ffff:192.0.2.7', '::FFFF:C000:207'][index % 2] as string, 20)).toBe(2)
    expect(await limit.fail('192.0.2.7')).toBe(600)
  })
})

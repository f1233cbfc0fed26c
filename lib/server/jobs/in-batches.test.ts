import { describe, expect, it } from 'vitest'
import { deletionStore } from '#lib/db/account/deletion-store'
import { personalDataStore } from '#lib/db/account/personal-data'
import { type Sweep, sweeps } from '#lib/db/jobs/sweep-store'
import { makeMetrics } from '#lib/server/observe/metrics'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { erasePeople } from './erase-people.ts'
import { inBatches } from './in-batches.ts'
import { makeSweep, sweep, sweepOnce } from './sweep.ts'
import { measureBacklogs } from './watch-backlogs.ts'

const now = new Date('2026-01-01T00:00:00Z')

/** Counts turns of the event loop until stopped. */
function countTurns() {
  const counter = { turns: 0, stop: () => clearImmediate(next) }
  const count = () => {
    counter.turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  return counter
}

describe('inBatches', () => {
  it('takes as many rows as 10 ms allow, and fewer when rows take longer', async () => {
    const sizes: number[] = []
    let [left, msPerRow] = [4000, 0.01]
    await inBatches(async (rows) => {
      sizes.push(rows)
      left -= rows
      if (left < 2000) msPerRow = 0.5
      return { isLast: left <= 0, heldMs: rows * msPerRow }
    })
    expect(Math.max(...sizes)).toBe(500)
    // The first batch of slow rows takes too long; each later one stays within 10 ms.
    const slow = sizes.slice(sizes.indexOf(20, 3))
    expect(slow.length).toBeGreaterThan(50)
    expect(Math.max(...slow)).toBe(20)
  })

  it('ends after its seconds, with rows left', async () => {
    let batches = 0
    expect(await inBatches(async () => ({ isLast: ++batches > 1000, heldMs: 0 }), { seconds: 0 })).toBe(false)
    expect(batches).toBe(1)
  })
})

onBothDatabases('jobs over many rows', (open) => {
  it('let the event loop turn after each batch of a sweep', async () => {
    const database = await open()
    const data = Array.from({ length: 1203 }, (_, at) => ({ jti: `old-${at}`, expiresAt: now }))
    await database.prisma.revokedToken.createMany({ data })
    const counter = countTurns()
    const turns: number[] = []
    await sweep(sweeps(database), now, (table) => void (table === 'RevokedToken' && turns.push(counter.turns)))
    counter.stop()
    expect(turns.length).toBeGreaterThan(2)
    expect(new Set(turns).size).toBe(turns.length)
  })

  it('give each table its turn while another has an endless backlog', async () => {
    const database = await open()
    await database.prisma.attempt.create({ data: { key: 'late', points: 1, expire: now } })
    const endless: Sweep = {
      table: 'Endless',
      run: async (_, rows) => ({ count: rows, heldMs: 0 }),
      readBacklog: async () => ({ rows: 1, oldest: now }),
    }
    const unfinished = await sweepOnce([endless, ...sweeps(database)], now, () => undefined)
    expect(unfinished).toEqual([endless])
    expect(await database.prisma.attempt.count()).toBe(0)
  })

  it('leave rows that a process without jobs reports, and the job removes', async () => {
    const database = await open()
    const metrics = makeMetrics()
    const old = Array.from({ length: 700 }, (_, at) => ({ id: `old-${at}`, expiresAt: now }))
    await database.prisma.usedProof.createMany({ data: old })
    const later = () => new Date(now.getTime() + 60_000)
    const read = async () => {
      await measureBacklogs(sweeps(database), later(), metrics)
      const gauges = await Promise.all([metrics.backlog.get(), metrics.backlogAge.get()])
      return gauges.map(({ values }) => values.find(({ labels }) => labels.table === 'UsedProof')?.value)
    }
    expect(await read()).toEqual([700, 60])
    expect(await makeSweep(database, metrics)({ now: later, goOn: () => true })).toBe(700)
    expect(await read()).toEqual([0, 0])
  })

  it('let the event loop turn after each batch of an erased account', async () => {
    const { prisma } = await open()
    const texts = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: '' }
    const times = { profileUpdatedAt: now, createdAt: now, deleteAfter: now }
    await prisma.person.create({ data: { id: 'ada', username: 'ada', ...texts, ...times } })
    const activity = { personId: 'ada', at: now, kind: 'signed_in', detail: '{}', address: '', device: '' }
    await prisma.activity.createMany({ data: Array.from({ length: 700 }, (_, at) => ({ id: `${at}`, ...activity })) })
    const counter = countTurns()
    const turns: number[] = []
    const store = deletionStore(prisma)
    const erase: typeof store.erase = (...asked) => {
      turns.push(counter.turns)
      return store.erase(...asked)
    }
    await erasePeople({ ...store, erase }, now)
    counter.stop()
    expect(await prisma.person.count()).toBe(0)
    expect(turns.length).toBeGreaterThan(2)
    expect(new Set(turns).size).toBe(turns.length)
  })

  it('let the event loop turn while a long history is read', async () => {
    const { prisma } = await open()
    const texts = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: '' }
    const times = { profileUpdatedAt: now, createdAt: now }
    await prisma.person.create({ data: { id: 'ada', username: 'ada', ...texts, ...times } })
    const rows = Array.from({ length: 700 }, (_, at) => ({ id: `${at}`, at: new Date(now.getTime() + at) }))
    const line = { personId: 'ada', kind: 'signed_in', detail: '{}', address: '', device: '' }
    await prisma.activity.createMany({ data: rows.map((row) => ({ ...row, ...line })) })
    const counter = countTurns()
    const { activity } = await personalDataStore(prisma).read('ada')
    counter.stop()
    expect(activity.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).reverse())
    expect(counter.turns).toBeGreaterThan(2)
  })
})

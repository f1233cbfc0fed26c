import { expect, it } from 'vitest'
import type { ActivityKind } from '#lib/account/activity/activity'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { activityStore } from './activity-store.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
const nothing = { passwordHash: null, email: null, nickname: '', biography: '', gender: '', birthdate: '', region: '' }
const dates = { profileUpdatedAt: at(0), createdAt: at(0) }

onBothDatabases('the audit trail', (open) => {
  async function setUp(seconds: number[]) {
    const database = await open()
    await database.prisma.person.create({
      data: { id: 'p', username: 'p', name: '', locale: '', ...nothing, ...dates },
    })
    const store = activityStore(database)
    for (const [order, second] of seconds.entries()) {
      const event = { kind: 'signed_in' as const, detail: { order: String(order) }, address: '::1', device: 'x' }
      await store.record('p', { at: at(second), ...event })
    }
    return async (most: number) => {
      const pages: number[][] = []
      let before: Date | undefined
      for (;;) {
        const page = await store.list('p', before, most)
        if (page.length === 0) return pages
        pages.push(page.map((line) => line.at.getUTCSeconds()))
        before = page.at(-1)?.at
      }
    }
  }

  it('returns pages, the latest entry first', async () => {
    const pages = await setUp([1, 2, 3, 4, 5])
    expect(await pages(2)).toEqual([[5, 4], [3, 2], [1]])
  })

  it('gives later entries later ids, so that they are neighbours in the index', async () => {
    const database = await open()
    await database.prisma.person.create({
      data: { id: 'p', username: 'p', name: '', locale: '', ...nothing, ...dates },
    })
    const store = activityStore(database)
    const event = { kind: 'signed_in' as const, detail: {}, address: '::1', device: 'x' }
    for (let second = 0; second < 20; second++) await store.record('p', { at: at(second), ...event })
    const rows = await database.prisma.activity.findMany({ orderBy: { at: 'asc' } })
    const ids = rows.map(({ id }) => id)
    expect([ids.length, ids]).toEqual([20, ids.toSorted()])
  })

  it('returns the entries of some kinds alone', async () => {
    const database = await open()
    await database.prisma.person.create({
      data: { id: 'p', username: 'p', name: '', locale: '', ...nothing, ...dates },
    })
    const store = activityStore(database)
    for (const kind of ['signed_in', 'totp_on', 'signed_out'] as const)
      await store.record('p', { at: at(1), kind, detail: {}, address: '', device: '' })
    const kindsIn = async (...kinds: ActivityKind[]) =>
      (await store.list('p', undefined, 1, kinds)).map(({ kind }) => kind)
    expect((await kindsIn('signed_in', 'signed_out')).toSorted()).toEqual(['signed_in', 'signed_out'])
    expect(await kindsIn('recovered')).toEqual([])
  })

  it('never splits a moment between two pages', async () => {
    const pages = await setUp([1, 2, 2, 2, 3])
    expect(await pages(2)).toEqual([[3, 2, 2, 2], [1]])
  })
})

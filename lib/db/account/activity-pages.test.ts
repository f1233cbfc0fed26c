import { expect, it } from 'vitest'
import type { Activity } from '#lib/account/activity/activity'
import { findActivities } from '#lib/account/activity/filter-activity'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { ada, apply, fileOf, web } from '#lib/testing/databases/provision'
import { activityStore } from './activity-store.ts'

const start = Date.parse('2026-11-20T10:00:00Z')

onBothDatabases('a page of filtered activity', (open) => {
  it('leads through every match once, and reads a bounded number of events', async () => {
    const database = await open()
    const { prisma } = database
    await apply(database, fileOf([web], [ada]))
    const { id: personId } = await prisma.person.findUniqueOrThrow({ where: { username: 'ada' } })
    await prisma.activity.deleteMany()
    const rows = Array.from({ length: 2500 }, (_, index) => {
      // Three matches at each fifth hundred, all of one time.
      const kind: Activity['kind'] = index % 500 < 3 ? 'alias_off' : 'signed_in'
      const minute = index % 500 < 3 ? index - (index % 500) : index
      const at = new Date(start - minute * 60_000)
      return { id: String(index).padStart(5, '0'), personId, at, kind, detail: '{}', address: '', device: '' }
    })
    await prisma.activity.createMany({ data: rows })
    const store = activityStore(database)
    const matches = ({ kind }: Activity) => kind === 'alias_off'
    const kinds = undefined
    const pages: number[] = []
    for (let before: Date | undefined, more = true; more; more = before !== undefined) {
      const { found, older } = await findActivities(store, personId, { before, kinds, most: 2, matches })
      pages.push(found.length)
      before = older
    }
    expect(pages).toEqual([3, 3, 3, 3, 3])
    const none = await findActivities(store, personId, { before: undefined, kinds, most: 2, matches: () => false })
    expect(none.found).toEqual([])
    expect(none.older).toBeInstanceOf(Date)
  })
})

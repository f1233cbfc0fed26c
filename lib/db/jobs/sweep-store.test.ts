import { expect, it } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { freshUrl } from '#lib/testing/databases/databases'
import { sweeps } from './sweep-store.ts'

it('keeps a row that is renewed while the sweep waits for it', async () => {
  const database = await openDatabase(await freshUrl('postgresql'))
  if (database.kind !== 'postgresql') throw new Error('This test is about PostgreSQL.')
  const { prisma, pool } = database
  const now = new Date()
  const [past, future] = [-1000, 1000].map((milliseconds) => new Date(now.getTime() + milliseconds)) as [Date, Date]
  for (const key of ['renewed', 'expired']) await prisma.attempt.create({ data: { key, points: 1, expire: past } })
  const renewal = await pool.connect()
  await renewal.query('BEGIN')
  await renewal.query(`UPDATE "Attempt" SET expire = $1 WHERE key = 'renewed'`, [future])
  const swept = sweeps(database)
    .find(({ table }) => table === 'Attempt')
    ?.run(now, 10)
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1)
  await renewal.query('COMMIT')
  renewal.release()
  expect(await swept).toMatchObject({ count: 1 })
  expect((await prisma.attempt.findMany()).map(({ key }) => key)).toEqual(['renewed'])
  await database.close()
})

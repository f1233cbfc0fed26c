import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { freshUrl } from '#lib/testing/databases/databases'
import { startedThreads } from '#lib/testing/process/started-threads'
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

it('starts the thread for checkpoints for sixty removed rows, and not for ten or for sweeps that remove nothing', async () => {
  const database = await openDatabase(await freshUrl('sqlite'))
  onTestFinished(() => database.close())
  const threads = startedThreads()
  const past = new Date(Date.now() - 1000)
  const attempts = sweeps(database).find(({ table }) => table === 'Attempt')
  const sweepRows = async (rows: number) => {
    const keys = Array.from({ length: rows }, (_, index) => `${index}`)
    await database.prisma.attempt.createMany({ data: keys.map((key) => ({ key, points: 1, expire: past })) })
    expect(await attempts?.run(new Date(), rows)).toMatchObject({ count: rows })
    await nextTurn()
    return threads.length
  }
  for (let sweep = 0; sweep < 250; sweep++) expect(await attempts?.run(new Date(), 60)).toMatchObject({ count: 0 })
  expect(await sweepRows(10)).toBe(0)
  expect(await sweepRows(60)).toBe(1)
})

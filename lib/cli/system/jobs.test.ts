import { expect, it } from 'vitest'
import { openDatabase } from '#lib/db/engine/client'
import { jobStore } from '#lib/db/jobs/job-store'
import { jobNames } from '#lib/server/jobs/schedule'
import { freshUrl, kinds } from '#lib/testing/databases/databases'
import { setUpCommandLine } from '#lib/testing/process/command-line'

const person = { name: '', nickname: '', biography: '', gender: '', birthdate: '', region: '', locale: 'en' }

it.each(kinds)('lists every job with its last run and its backlog on %s', async (kind) => {
  const DATABASE_URL = await freshUrl(kind)
  const database = await openDatabase(DATABASE_URL)
  const store = jobStore(database)
  await store.claim('sweep', 'web-1:7:ab', undefined)
  await store.claim('reseal', 'web-1:7:ab', undefined)
  await store.finish('reseal', 'web-1:7:ab', { outcome: 'failed', rows: 0, error: 'Error: no key' })
  const past = new Date('2026-01-01T00:00:00Z')
  await database.prisma.revokedToken.createMany({
    data: Array.from({ length: 3 }, (_, index) => ({ jti: `${index}`, expiresAt: past })),
  })
  const times = { profileUpdatedAt: past, createdAt: past, deleteAfter: past }
  await database.prisma.person.create({ data: { id: 'ada', username: 'ada', ...person, ...times } })
  await database.close()
  const { answer, code, stderr } = await setUpCommandLine({ DATABASE_URL }).cli(['jobs'])
  expect(code).toBe(0)
  expect(answer().map(({ name }: { name: string }) => name)).toEqual(jobNames)
  const job = (wanted: string) => answer().find(({ name }: { name: string }) => name === wanted)
  expect(job('sweep')).toMatchObject({
    every_seconds: 60,
    state: 'running',
    process: 'web-1:7:ab',
    ended_at: null,
    backlog: { rows: 3, oldest: past.toISOString() },
  })
  expect(job('reseal')).toMatchObject({ state: 'failed', error: 'Error: no key', backlog: null })
  expect(job('erase-people').backlog).toEqual({ rows: 1, oldest: past.toISOString() })
  expect(job('erase-apps')).toMatchObject({ state: 'never', started_at: null, backlog: { rows: 0, oldest: null } })
  expect(stderr).toMatch(/^sweep +60 s +running /m)
  expect(stderr).toContain('3 since 2026-01-01 00:00:00')
})

it('asks for a run and returns its result', async () => {
  const DATABASE_URL = await freshUrl('sqlite')
  const line = setUpCommandLine({ DATABASE_URL })
  const database = await openDatabase(DATABASE_URL)
  const store = jobStore(database)
  const running = line.cli(['jobs', 'run', 'sweep'])
  await expect.poll(async () => (await store.read()).jobs.get('sweep')?.requestedAt).toBeDefined()
  await store.claim('sweep', 'me', (await store.read()).jobs.get('sweep'))
  await store.finish('sweep', 'me', { outcome: 'done', rows: 12, error: '' })
  const { answer, code } = await running
  expect([code, answer()]).toEqual([0, [expect.objectContaining({ name: 'sweep', state: 'done', rows: 12 })]])
  await database.close()
})

it('says that no process ran the job, and refuses an unknown name or a wrong time', async () => {
  const line = setUpCommandLine({ DATABASE_URL: await freshUrl('sqlite') })
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await line.cli(['jobs', 'run', ...args])
    expect([code, stdout]).toEqual([1, ''])
    return stderr
  }
  expect(await refused('sweep', '--wait', '0')).toContain('No process ran sweep within 0 seconds')
  expect(await refused('swep')).toContain('There is no job "swep". Did you mean sweep?')
  expect(await refused('sweep', '--wait', 'soon')).toContain('--wait must be a number of seconds')
})

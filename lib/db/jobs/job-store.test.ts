import { expect, it } from 'vitest'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { jobStore } from './job-store.ts'

const done = { outcome: 'done', rows: 3, error: '' } as const
const eight = Array.from({ length: 8 }, (_, one) => `process-${one}`)

onBothDatabases('the store of jobs', (open) => {
  it('gives a job to one of eight processes, before its first run and after it', async () => {
    const store = jobStore(await open())
    const claims = async () => {
      const { jobs } = await store.read()
      const won = await Promise.all(eight.map((holder) => store.claim('sweep', holder, jobs.get('sweep'))))
      return eight.filter((_, one) => won[one])
    }
    const [first, ...others] = await claims()
    expect(others).toEqual([])
    expect(await store.finish('sweep', first ?? '', done)).toBe(true)
    const [second, ...rest] = await claims()
    expect(rest).toEqual([])
    expect((await store.read()).jobs.get('sweep')).toMatchObject({ holder: second, outcome: '', rows: 0 })
  })

  it('lets a process that lost its lease neither renew it nor record its run', async () => {
    const store = jobStore(await open())
    await store.claim('sweep', 'paused', undefined)
    expect(await store.renew('sweep', 'paused')).toBe(true)
    await store.claim('sweep', 'other', (await store.read()).jobs.get('sweep'))
    expect(await store.renew('sweep', 'paused')).toBe(false)
    expect(await store.finish('sweep', 'paused', done)).toBe(false)
    expect(await store.finish('sweep', 'other', done)).toBe(true)
    expect((await store.read()).jobs.get('sweep')).toMatchObject({ holder: 'other', ...done })
  })

  it('does not renew the lease of a run that has ended', async () => {
    const store = jobStore(await open())
    await store.claim('sweep', 'me', undefined)
    await store.finish('sweep', 'me', done)
    expect(await store.renew('sweep', 'me')).toBe(false)
    const { now, jobs } = await store.read()
    expect(jobs.get('sweep')?.expiresAt.getTime()).toBeLessThanOrEqual(now.getTime())
  })

  it('keeps the times of the database, and a request beside the last run', async () => {
    const store = jobStore(await open())
    await store.claim('sweep', 'me', undefined)
    await store.finish('sweep', 'me', { outcome: 'failed', rows: 0, error: 'Error x' })
    await store.request('sweep')
    await store.request('reseal')
    const { now, jobs } = await store.read()
    const { startedAt, endedAt, requestedAt, ...sweep } = jobs.get('sweep') ?? {}
    expect(sweep).toMatchObject({ holder: 'me', outcome: 'failed', error: 'Error x' })
    const times = [startedAt, endedAt, requestedAt, now].map((time) => time?.getTime() ?? 0)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times[0]).toBeGreaterThan(now.getTime() - 60_000)
    expect(jobs.get('reseal')).toMatchObject({ holder: '', startedAt: undefined })
  })
})

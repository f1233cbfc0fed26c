import { afterEach, expect, it } from 'vitest'
import { jobStore, type StoredJob } from '#lib/db/jobs/job-store'
import { makeLog } from '#lib/server/observe/log'
import { makeMetrics } from '#lib/server/observe/metrics'
import { onBothDatabases } from '#lib/testing/databases/databases'
import { type Job, type Jobs, runJobs, type Turn } from './run-jobs.ts'
import { type JobName, jobNames } from './schedule.ts'

const stops: (() => Promise<void>)[] = []
const stopAll = () => Promise.all(stops.splice(0).map((stop) => stop()))
afterEach(stopAll)

/** Looks often, so that the tests need not wait. */
const pace = { soon: 50, idle: 100, refused: 200, patience: 300 }

const allOf = (job: (name: JobName) => Promise<number>) =>
  Object.fromEntries(jobNames.map((name) => [name, () => job(name)])) as unknown as Jobs

type Database = Parameters<typeof jobStore>[0]

/** Starts a process whose jobs do nothing, except the one given; returns the function that stops it. */
function start(database: Database, holder: string, name: JobName, job: Job, now = () => new Date()) {
  const needs = { store: jobStore(database), holder, log: makeLog('silent'), metrics: makeMetrics(), now, pace }
  const stop = runJobs({ ...allOf(async () => 0), [name]: job }, needs)
  stops.push(stop)
  return { stop, runs: needs.metrics.jobs }
}

const stored = async (database: Database, name: JobName) => (await jobStore(database).read()).jobs.get(name)
const patient = { timeout: 20_000 }

/** Marks every job but one as just run, so that the test need not wait for them. */
async function onlyDue(database: Database, name: JobName) {
  const store = jobStore(database)
  for (const one of jobNames.filter((other) => other !== name)) {
    await store.claim(one, 'before', undefined)
    await store.finish(one, 'before', { outcome: 'done', rows: 0, error: '' })
  }
}

/** A job that runs until it may not go on. */
function endless() {
  const seen = { turns: 0, ended: false }
  const job: Job = async ({ goOn }) => {
    while (goOn()) {
      seen.turns += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    seen.ended = true
    return 7
  }
  return { seen, job }
}

onBothDatabases('the background jobs', (open) => {
  it('all run once soon after the start, and a restart runs none of the hourly ones again', {
    timeout: 40_000,
  }, async () => {
    const database = await open()
    const runs: string[] = []
    const startAll = () => {
      const needs = { store: jobStore(database), holder: 'me', log: makeLog('silent'), metrics: makeMetrics() }
      stops.push(
        runJobs(
          allOf(async (name) => runs.push(name)),
          { ...needs, now: () => new Date(), pace },
        ),
      )
    }
    startAll()
    await expect.poll(() => new Set(runs).size, { timeout: 30_000 }).toBe(jobNames.length)
    await stopAll()
    const before = await stored(database, 'rotate-keys')
    expect(before).toMatchObject({ holder: 'me', outcome: 'done' })
    startAll()
    const mark = runs.length
    // This job is due again after ten seconds, so that the second start has looked several times by then.
    await expect.poll(() => runs.slice(mark), { timeout: 30_000 }).toContain('settle-transfers')
    expect(runs.filter((name) => name === 'rotate-keys')).toHaveLength(1)
    expect(await stored(database, 'rotate-keys')).toEqual(before)
  })

  it('end after their batch at a shutdown, and another process goes on at once', async () => {
    const database = await open()
    await onlyDue(database, 'sweep')
    const [first, second] = [endless(), endless()]
    const one = start(database, 'first', 'sweep', first.job)
    await expect.poll(() => first.seen.turns, patient).toBeGreaterThan(3)
    start(database, 'second', 'sweep', second.job)
    await one.stop()
    expect(first.seen.ended).toBe(true)
    expect(second.seen.turns).toBe(0)
    expect(await stored(database, 'sweep')).toMatchObject({ holder: 'first', outcome: 'interrupted', rows: 7 })
    await expect.poll(() => second.seen.turns, patient).toBeGreaterThan(0)
  })

  it('give a lease back that a stuck run still holds at a shutdown', { timeout: 30_000 }, async () => {
    const database = await open()
    await onlyDue(database, 'sweep')
    const { promise: never, resolve } = Promise.withResolvers<number>()
    const { stop } = start(database, 'stuck', 'sweep', () => never)
    await expect.poll(async () => (await stored(database, 'sweep'))?.holder, patient).toBe('stuck')
    await stop()
    const { now, jobs } = await jobStore(database).read()
    expect(jobs.get('sweep')).toMatchObject({ outcome: 'interrupted' } satisfies Partial<StoredJob>)
    expect(jobs.get('sweep')?.expiresAt.getTime()).toBeLessThanOrEqual(now.getTime())
    resolve(0)
  })

  it('keep the error of a job that throws, without addresses, and run it again after its time', async () => {
    const database = await open()
    await onlyDue(database, 'settle-transfers')
    let tries = 0
    const { runs } = start(database, 'me', 'settle-transfers', async () => {
      tries += 1
      throw new Error(`No answer for ada@example.org with ${'x'.repeat(40)}`)
    })
    await expect.poll(async () => (await stored(database, 'settle-transfers'))?.outcome, patient).toBe('failed')
    const { error } = (await stored(database, 'settle-transfers')) ?? {}
    expect(error).toBe('Error No answer for [address] with [secret]')
    await expect.poll(() => tries, patient).toBe(2)
    expect((await runs.get()).values).toContainEqual(
      expect.objectContaining({ labels: { job: 'settle-transfers', outcome: 'failed' } }),
    )
  })

  it('run when an operator asks', async () => {
    const database = await open()
    await onlyDue(database, 'reseal')
    await jobStore(database).claim('reseal', 'before', undefined)
    await jobStore(database).finish('reseal', 'before', { outcome: 'done', rows: 0, error: '' })
    const { promise: ran, resolve } = Promise.withResolvers<void>()
    start(database, 'me', 'reseal', async () => {
      resolve()
      return 5
    })
    await jobStore(database).request('reseal')
    await ran
    await expect.poll(async () => (await stored(database, 'reseal'))?.rows, patient).toBe(5)
  })

  it('work with the earlier of two clocks, so that a fast clock deletes nothing too early', async () => {
    for (const [minutes, most] of [
      [10, 60_000],
      [-10, -540_000],
    ] as const) {
      const database = await open()
      await onlyDue(database, 'sweep')
      const { promise: turn, resolve } = Promise.withResolvers<Turn>()
      const clock = () => new Date(Date.now() + minutes * 60_000)
      start(database, `${minutes}`, 'sweep', async (given) => resolve(given) ?? 0, clock)
      expect((await turn).now().getTime()).toBeLessThan(Date.now() + most)
      await stopAll()
    }
  })
})

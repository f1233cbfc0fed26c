import { expect, test } from '@playwright/test'
import { type Database, openDatabase } from '#lib/db/engine/client'
import { jobStore } from '#lib/db/jobs/job-store'
import { inFull } from './in-full.ts'
import { ServerProcess } from './server-process.ts'

const rows = 2_000_000
const settings = { ROLES: 'jobs', SECRET_KEY: 'k'.repeat(43) }

test('another process goes on with a sweep as soon as a shutdown interrupts it', async () => {
  test.setTimeout(240_000)
  await withTwo(async ({ first, second, isSweeping }) => {
    expect(await first.stop()).toBe(0)
    await expect.poll(() => isSweeping(second), within(10)).toBe(true)
  })
})

// Waits for the end of a lease.
if (inFull)
  test('another process takes over from a suspended or killed one, which changes nothing when it wakes up', async () => {
    test.setTimeout(480_000)
    await withTwo(async ({ first, second, isSweeping, betweenWrites }) => {
      // A process that is suspended in the middle of a write keeps the lock of SQLite.
      betweenWrites(() => first.signal('SIGSTOP'))
      await expect.poll(() => isSweeping(second), within(60)).toBe(true)
      first.signal('SIGCONT')
      const interrupted = () => metric(first, 'postern_job_runs_total{job="sweep",outcome="interrupted"}')
      await expect.poll(interrupted, within(60)).toBe(1)
      expect(await isSweeping(second)).toBe(true)
      await second.kill()
      await expect.poll(() => isSweeping(first), within(60)).toBe(true)
    })
  })

const within = (seconds: number) => ({ timeout: seconds * 1000, intervals: [250] })

type Two = {
  first: ServerProcess
  second: ServerProcess
  isSweeping(process: ServerProcess): Promise<boolean>
  /** Calls `act` while no process writes to the database. */
  betweenWrites(act: () => void): void
}

/** Calls `run` while the first of two processes sweeps a backlog, of which a part is left afterwards. */
async function withTwo(run: (two: Two) => Promise<void>): Promise<void> {
  const first = await ServerProcess.start(settings)
  const database = await openDatabase(first.databaseUrl)
  let second: ServerProcess | undefined
  try {
    await first.stop()
    await addRows(database)
    await jobStore(database).request('sweep')
    await first.restart()
    const isSweeping = async (process: ServerProcess) => {
      const job = (await jobStore(database).read()).jobs.get('sweep')
      return job?.outcome === '' && job.holder.includes(`:${process.pid}:`)
    }
    await expect.poll(() => isSweeping(first), within(30)).toBe(true)
    const betweenWrites = (act: () => void) => sqliteOf(database).transaction(act).immediate()
    second = await ServerProcess.start({ ...settings, DATABASE_URL: first.databaseUrl })
    await run({ first, second, isSweeping, betweenWrites })
    expect(await count(database, '<=')).toBeGreaterThan(0)
    expect(await count(database, '>')).toBe(5)
  } finally {
    await second?.remove()
    await database.close()
    await first.remove()
  }
}

function sqliteOf(database: Database) {
  if (database.kind !== 'sqlite') throw new Error('This test is about SQLite.')
  return database.sqlite.driver
}

/** Adds expired rows, of which many have equal times, and five that live. */
async function addRows(database: Database): Promise<void> {
  const driver = sqliteOf(database)
  const now = Date.now()
  driver.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
    INSERT INTO "RevokedToken" SELECT 'token-' || i, ${now - 86_400_000} + i / 1000000 FROM n`)
  for (let live = 0; live < 5; live += 1)
    driver.exec(`INSERT INTO "RevokedToken" VALUES ('live-${live}', ${now + 86_400_000})`)
}

async function count(database: Database, comparison: '<=' | '>'): Promise<number> {
  const sql = `SELECT count(*) AS count FROM "RevokedToken" WHERE "expiresAt" ${comparison} ${Date.now()}`
  return Number((sqliteOf(database).prepare(sql).get() as { count: bigint }).count)
}

async function metric({ metricsUrl }: ServerProcess, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  )
}

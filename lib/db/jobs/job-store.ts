import type { Database } from '#lib/db/engine/client'
import { type Statement, statementsOf, toDate } from '#lib/db/engine/statements'
import { databaseClock } from './database-clock.ts'

/** A background job: its lease and its last run, in times of the database's clock. */
export type StoredJob = {
  name: string
  /** The process that runs the job, or ran it last; empty before the first run. */
  holder: string
  expiresAt: Date
  startedAt: Date | undefined
  endedAt: Date | undefined
  requestedAt: Date | undefined
  /** Empty while the job runs, and after its process died. */
  outcome: Outcome | ''
  /** What the last run changed, and why it failed. */
  rows: number
  error: string
}

export type Outcome = 'done' | 'failed' | 'interrupted'
export type Run = { outcome: Outcome; rows: number; error: string }

/** Seconds after which another process takes over a job whose process no longer renews the lease. */
export const leaseSeconds = 30

/**
 * Stores the background jobs. Every time is taken from the database's clock, so that processes with different clocks agree
 * on when a lease ends. Each step is one compare-and-set.
 */
export function jobStore(database: Database) {
  const statements = statementsOf(database)
  const { now, inSeconds } = databaseClock(database.kind)
  const expiry = inSeconds(leaseSeconds)
  const named = (name: string, sql: string): Statement => ({ name: `job-${name}`, sql })
  const insert = named(
    'insert',
    `INSERT INTO "Lease" (name, holder, "expiresAt", "startedAt") VALUES ($1, $2, ${expiry}, ${now})
      ON CONFLICT (name) DO NOTHING`,
  )
  const claim = named(
    'claim',
    `UPDATE "Lease" SET holder = $1, "expiresAt" = ${expiry}, "startedAt" = ${now}, outcome = '', "rows" = 0, error = ''
      WHERE name = $2 AND holder = $3 AND "expiresAt" = $4`,
  )
  const renew = named(
    'renew',
    `UPDATE "Lease" SET "expiresAt" = ${expiry} WHERE name = $1 AND holder = $2 AND outcome = ''`,
  )
  const finish = named(
    'finish',
    `UPDATE "Lease" SET "expiresAt" = ${now}, "endedAt" = ${now}, outcome = $3, "rows" = $4, error = $5
      WHERE name = $1 AND holder = $2`,
  )
  const request = named(
    'request',
    `INSERT INTO "Lease" (name, holder, "expiresAt", "requestedAt") VALUES ($1, '', ${now}, ${now})
      ON CONFLICT (name) DO UPDATE SET "requestedAt" = ${now}`,
  )
  return {
    /** Returns every stored job, and the time of the database. */
    async read(): Promise<{ now: Date; jobs: Map<string, StoredJob> }> {
      const clock = await statements.find(named('clock', `SELECT ${now} AS now`), [])
      // The row of the readiness check is no job.
      const rows = await database.prisma.lease.findMany({ where: { name: { not: 'write-probe' } }, take: 100 })
      return { now: toDate(clock?.now) as Date, jobs: new Map(rows.map((row) => [row.name, toJob(row)])) }
    },
    /** Takes the lease of a job that was free when `seen` was read; false if another process was faster. */
    async claim(name: string, holder: string, seen: StoredJob | undefined): Promise<boolean> {
      if (!seen) return (await statements.change(insert, [name, holder])) === 1
      return (await statements.change(claim, [holder, name, seen.holder, seen.expiresAt])) === 1
    },
    /** Extends the lease of a run; false if the run has ended or another process has taken the lease. */
    renew: async (name: string, holder: string) => (await statements.change(renew, [name, holder])) === 1,
    /** Records the run and gives the lease back; false, without a change, if another process has taken it. */
    finish: async (name: string, holder: string, { outcome, rows, error }: Run) =>
      (await statements.change(finish, [name, holder, outcome, rows, error])) === 1,
    /** Asks for a run as soon as possible. */
    request: async (name: string): Promise<void> => void (await statements.change(request, [name])),
  }
}

export type JobStore = ReturnType<typeof jobStore>

type Row = Omit<StoredJob, 'startedAt' | 'endedAt' | 'requestedAt' | 'outcome'> &
  Record<'startedAt' | 'endedAt' | 'requestedAt', Date | null> & { outcome: string }

const toJob = ({ startedAt, endedAt, requestedAt, outcome, ...row }: Row): StoredJob => ({
  ...row,
  startedAt: startedAt ?? undefined,
  endedAt: endedAt ?? undefined,
  requestedAt: requestedAt ?? undefined,
  outcome: outcome as StoredJob['outcome'],
})

import { leaseSeconds, type StoredJob } from '#lib/db/jobs/job-store'

/** The seconds from the end of a run to the next run of each job. */
export const periods = {
  sweep: 60,
  'give-up-deliveries': 60,
  'reset-factors': 60,
  'erase-people': 60,
  'settle-transfers': 10,
  'erase-apps': 3600,
  'rotate-keys': 3600,
  'mail-keys': 3600,
  reseal: 3600,
  'mail-domains': 3600,
  'team-domains': 3600,
} as const

export type JobName = keyof typeof periods
export const jobNames = Object.keys(periods) as JobName[]

/** The most seconds until a failed job runs again. */
const retry = 60

/** Returns whether a process holds the lease at the time `now` of the database. */
export function isHeld({ expiresAt }: StoredJob, now: Date): boolean {
  const left = expiresAt.getTime() - now.getTime()
  // A longer lease is from a version with longer leases, or from before the database's clock was set back.
  return left > 0 && left <= 2 * leaseSeconds * 1000
}

/**
 * Returns the jobs that no process runs and whose time has come, the most overdue first. A job runs at once if it never
 * ran or was interrupted by a shutdown, so that a start does all work that waits; it does not run again if it ran less
 * than its period ago.
 */
export function dueJobs(jobs: ReadonlyMap<string, StoredJob>, now: Date): JobName[] {
  const due = jobNames.map((name) => {
    const job = jobs.get(name)
    return { name, at: job && isHeld(job, now) ? Number.POSITIVE_INFINITY : dueAt(periods[name], job, now.getTime()) }
  })
  return due
    .filter(({ at }) => at <= now.getTime())
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name)
}

function dueAt(period: number, job: StoredJob | undefined, now: number): number {
  const [started, ended, requested] = [job?.startedAt, job?.endedAt, job?.requestedAt].map((time) => time?.getTime())
  // A run in the future was before the database's clock was set back.
  if (job === undefined || started === undefined || started > now) return 0
  if (requested !== undefined && requested > started) return 0
  // Its process died; a job that ends its process must not do so again and again without a pause.
  if (job.outcome === '' || ended === undefined) return started + leaseSeconds * 1000
  if (job.outcome === 'interrupted') return 0
  return ended + (job.outcome === 'failed' ? Math.min(period, retry) : period) * 1000
}

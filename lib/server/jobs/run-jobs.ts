import type { JobStore, Outcome } from '#lib/db/jobs/job-store'
import type { Log } from '#lib/server/observe/log'
import type { Metrics } from '#lib/server/observe/metrics'
import { describeError } from './describe-error.ts'
import { holdLease } from './hold-lease.ts'
import { dueJobs, type JobName } from './schedule.ts'

/** What a run is given: the time, and whether it may begin another batch. */
export type Turn = {
  /** The earlier of this process's clock and the database's, so that a fast clock deletes nothing too early. */
  now(): Date
  /** False once the process shuts down or has lost the lease. */
  goOn(): boolean
}

/** Runs a job once and returns the number of rows that it changed. Two processes may run a job at once without harm. */
export type Job = (turn: Turn) => Promise<number>
export type Jobs = Record<JobName, Job>

type Needs = {
  store: JobStore
  holder: string
  log: Log
  metrics: Pick<Metrics, 'jobs'>
  now(): Date
  pace?: typeof usualPace
}

/**
 * Milliseconds until the next look: after a job began, after none was due, and after the database refused. `patience` is
 * how long a shutdown waits for the batches that run.
 */
const usualPace = { soon: 1000, idle: 3000, refused: 10_000, patience: 10_000 }

/**
 * Runs each job when it is due, in one process at a time. At most one job begins each second, so that a start is no
 * burst. Returns a function that ends the runs after their current batch and gives the leases back.
 */
export function runJobs(jobs: Jobs, needs: Needs): () => Promise<void> {
  const { store, holder, log, pace = usualPace } = needs
  const running = new Map<JobName, Promise<void>>()
  const stopping = new AbortController()
  const beginOne = async (): Promise<number> => {
    const { now, jobs: stored } = await store.read()
    for (const name of dueJobs(stored, now)) {
      if (stopping.signal.aborted) return pace.idle
      if (running.has(name) || !(await store.claim(name, holder, stored.get(name)))) continue
      const run = runOnce(jobs[name], { ...needs, name, startedAt: now, signal: stopping.signal })
      running.set(
        name,
        run.finally(() => running.delete(name)),
      )
      return pace.soon
    }
    return pace.idle
  }
  const look = () =>
    beginOne().catch((err: unknown) => {
      log.error({ err }, 'the background jobs could not be read')
      return pace.refused
    })
  let looking = Promise.resolve()
  let timer: NodeJS.Timeout
  const lookAfter = (milliseconds: number) => {
    timer = setTimeout(() => {
      looking = look().then((wait) => (stopping.signal.aborted ? undefined : lookAfter(wait)))
    }, milliseconds)
  }
  lookAfter(pace.soon)
  return async () => {
    stopping.abort()
    clearTimeout(timer)
    await looking
    await within(pace.patience, Promise.all(running.values()))
    // A run that does not end in time loses its lease, so that another process need not wait for its expiry.
    const run = { outcome: 'interrupted', rows: 0, error: '' } as const
    await Promise.all([...running.keys()].map((name) => store.finish(name, holder, run).catch(() => undefined)))
  }
}

async function runOnce(
  job: Job,
  needs: Needs & { name: JobName; startedAt: Date; signal: AbortSignal },
): Promise<void> {
  const { store, holder, name, log, metrics, now, startedAt, signal } = needs
  const lease = holdLease(store, name, holder)
  const began = performance.now()
  const goOn = () => !signal.aborted && lease.isHeld()
  const turn = { goOn, now: () => earlier(now(), startedAt.getTime() + performance.now() - began) }
  let [outcome, rows, error]: [Outcome, number, string] = ['done', 0, '']
  try {
    rows = await job(turn)
    if (!goOn()) outcome = 'interrupted'
  } catch (err) {
    log.error({ err, job: name }, 'a job failed')
    ;[outcome, error] = ['failed', describeError(err)]
  }
  lease.stop()
  metrics.jobs.inc({ job: name, outcome })
  await store.finish(name, holder, { outcome, rows, error }).catch((err: unknown) => {
    log.error({ err, job: name }, 'the run of a job could not be recorded')
  })
}

const earlier = (time: Date, other: number) => (time.getTime() <= other ? time : new Date(other))

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

import { setTimeout as pause } from 'node:timers/promises'
import type { JobState } from '#lib/admin/system'
import { type Answer, type Call, type Command, Refusal } from '#lib/cli/command'
import { withDatabase } from '#lib/cli/open'
import { table } from '#lib/cli/table'
import type { Database } from '#lib/db/engine/client'
import { jobStore } from '#lib/db/jobs/job-store'
import { mostCounted } from '#lib/db/jobs/sweep-store'
import { readJobStates } from '#lib/server/jobs/job-states'
import { jobNames } from '#lib/server/jobs/schedule'
import { didYouMean } from '#lib/text/did-you-mean'

/** Commands for the background jobs. */
export const jobCommands: Command[] = [
  {
    usage: 'jobs run NAME',
    summary: 'Run a background job now, in a process with the role jobs, and wait for its result',
    options: { wait: { type: 'string' } },
    run: runJob,
  },
  {
    usage: 'jobs',
    summary: 'List the background jobs: the process of each, its last run and its backlog',
    run: (call) => withDatabase(call, async (database) => answer(await readJobStates(database), true)),
  },
]

/** Milliseconds between two looks at the job. */
const every = 250

function runJob(call: Call): Promise<Answer> {
  const name = call.args[0] ?? ''
  const hint = jobNames.some((one) => one === name) ? undefined : didYouMean(name, jobNames)
  if (hint !== undefined)
    throw new Refusal(`There is no job ${JSON.stringify(name.slice(0, 100))}.${hint} See: cli jobs`)
  const seconds = Number(call.flags.wait ?? 60)
  if (!(seconds >= 0 && seconds <= 86_400)) throw new Refusal('--wait must be a number of seconds, at most 86400.')
  return withDatabase(call, async (database) => {
    await jobStore(database).request(name)
    const until = performance.now() + seconds * 1000
    while (!(await hasRun(database, name))) {
      if (performance.now() > until) throw new Refusal(await explainWait(database, name, seconds))
      await pause(every)
    }
    const [job] = (await readJobStates(database)).filter((one) => one.name === name)
    return answer(job ? [job] : [], job?.state !== 'failed')
  })
}

/** Returns whether a run that began after the request has ended. */
async function hasRun(database: Database, name: string): Promise<boolean> {
  const job = (await jobStore(database).read()).jobs.get(name)
  const [requested, started, ended] = [job?.requestedAt, job?.startedAt, job?.endedAt].map((time) => Number(time ?? 0))
  return (started ?? 0) >= (requested ?? 0) && (ended ?? 0) >= (started ?? 0) && job?.outcome !== ''
}

async function explainWait(database: Database, name: string, seconds: number): Promise<string> {
  const [job] = (await readJobStates(database)).filter((one) => one.name === name)
  if (job?.state === 'running') return `${name} still runs after ${seconds} seconds. See: cli jobs`
  return `No process ran ${name} within ${seconds} seconds. It runs as soon as a process with the role jobs is up.`
}

function answer(jobs: JobState[], ok: boolean): Answer {
  const value = jobs.map(({ name, period, state, holder, rows, error, ...job }) => ({
    name,
    every_seconds: period,
    state,
    process: holder || null,
    started_at: job.startedAt ?? null,
    ended_at: job.endedAt ?? null,
    rows,
    error: error || null,
    backlog: job.backlog ? { rows: job.backlog.rows, oldest: job.backlog.oldest ?? null } : null,
  }))
  const heading = ['job', 'every', 'state', 'last run', 'rows', 'backlog', 'process', 'error']
  const text = table(
    heading,
    jobs.map((job) => [
      job.name,
      job.period < 3600 ? `${job.period} s` : `${job.period / 3600} h`,
      job.state,
      timeOf(job),
      job.startedAt ? String(job.rows) : '',
      backlogOf(job),
      job.holder,
      job.error,
    ]),
  )
  return { ok, value, text }
}

/** Returns when the last run began, and how long it took. */
function timeOf({ state, startedAt, endedAt }: JobState): string {
  if (!startedAt) return ''
  const at = startedAt.toISOString().slice(0, 19).replace('T', ' ')
  if (!endedAt || state === 'running' || state === 'died') return at
  return `${at}, ${((endedAt.getTime() - startedAt.getTime()) / 1000).toFixed(1)} s`
}

function backlogOf({ backlog }: JobState): string {
  if (!backlog) return ''
  if (!backlog.oldest) return String(backlog.rows)
  const since = backlog.oldest.toISOString().slice(0, 19).replace('T', ' ')
  return `${backlog.rows >= mostCounted ? 'at least ' : ''}${backlog.rows} since ${since}`
}

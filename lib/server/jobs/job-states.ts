import type { JobState } from '#lib/admin/system'
import type { Database } from '#lib/db/engine/client'
import { readBacklogs } from '#lib/db/jobs/backlog-store'
import { jobStore, type StoredJob } from '#lib/db/jobs/job-store'
import { isHeld, jobNames, periods } from './schedule.ts'

/** Reads every background job with its last run and what waits for it. */
export async function readJobStates(database: Database): Promise<JobState[]> {
  const { now, jobs } = await jobStore(database).read()
  const backlogs = await readBacklogs(database, now)
  return jobNames.map((name) => {
    const job = jobs.get(name)
    return {
      name,
      period: periods[name],
      state: stateOf(job, now),
      holder: job?.holder ?? '',
      startedAt: job?.startedAt,
      endedAt: job?.endedAt,
      rows: job?.rows ?? 0,
      error: job?.error ?? '',
      backlog: backlogs.get(name),
    }
  })
}

function stateOf(job: StoredJob | undefined, now: Date): JobState['state'] {
  if (!job?.startedAt) return 'never'
  return job.outcome || (isHeld(job, now) ? 'running' : 'died')
}

/** What operators see of the service itself. No private part of a key, no secret of a setting. */
export type SystemState = {
  keys: {
    kid: string
    algorithm: string
    state: 'next' | 'current' | 'retired'
    currentFrom: Date
    goneAt: Date | undefined
  }[]
  jobs: JobState[]
  /** The processes of the installation; `silent` is the number of seconds since the last heartbeat. */
  nodes: {
    id: string
    hostName: string
    pid: number
    version: string
    roles: string[]
    startedAt: Date
    clockAhead: number
    silent: number
    isAlive: boolean
    isDraining: boolean
  }[]
  /** Bounces of mail to people in the last day, and people whose mail is on hold. */
  mail: { bounces: number; onHold: number }
  settings: { name: string; value: string; isDefault: boolean }[]
}

/** A background job. Times are of the database's clock. */
export type JobState = {
  name: string
  /** Seconds from the end of a run to the next. */
  period: number
  /** `died`: the process ended, or lost the database, in the last run. */
  state: 'never' | 'running' | 'done' | 'failed' | 'interrupted' | 'died'
  /** The process that runs the job, or ran it last. */
  holder: string
  startedAt: Date | undefined
  /** When the last complete run ended; before `startedAt` while the job runs. */
  endedAt: Date | undefined
  /** What the last run changed, and why it failed. */
  rows: number
  error: string
  /** What waits for the job, for the jobs where that can be counted; `rows` ends at 10,000. */
  backlog: { rows: number; oldest: Date | undefined } | undefined
}

import { expect, it } from 'vitest'
import type { StoredJob } from '#lib/db/jobs/job-store'
import { dueJobs, isHeld, type JobName, jobNames } from './schedule.ts'

const now = new Date('2026-01-01T12:00:00Z')
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000)

/** A job whose run ended `ended` seconds ago. */
const job = (name: JobName, ended: number, more: Partial<StoredJob> = {}): StoredJob => ({
  name,
  holder: 'other',
  expiresAt: before(ended),
  startedAt: before(ended + 1),
  endedAt: before(ended),
  requestedAt: undefined,
  outcome: 'done',
  rows: 0,
  error: '',
  ...more,
})

/** Returns which of the given jobs are due, when all others have just run. */
function dueOf(...given: StoredJob[]) {
  const all = [...jobNames.map((name) => job(name, 0)), ...given]
  return dueJobs(new Map(all.map((one) => [one.name, one])), now)
}

it('runs every job that never ran', () => {
  expect(dueJobs(new Map(), now)).toEqual(jobNames)
})

it('runs a job when its period is over, the most overdue first', () => {
  expect(dueOf(job('sweep', 59), job('erase-apps', 3599))).toEqual([])
  expect(dueOf(job('sweep', 61), job('erase-apps', 3700))).toEqual(['erase-apps', 'sweep'])
})

it('runs a failed job after a minute, and one that a shutdown interrupted at once', () => {
  expect(dueOf(job('erase-apps', 59, { outcome: 'failed' }))).toEqual([])
  expect(dueOf(job('erase-apps', 61, { outcome: 'failed' }))).toEqual(['erase-apps'])
  expect(dueOf(job('settle-transfers', 11, { outcome: 'failed' }))).toEqual(['settle-transfers'])
  expect(dueOf(job('erase-apps', 0, { outcome: 'interrupted' }))).toEqual(['erase-apps'])
})

it('takes over from a process that died in a run when its lease has ended, whatever the period of the job', () => {
  const died = (seconds: number) =>
    job('erase-apps', 3000, { outcome: '', startedAt: before(seconds), expiresAt: before(seconds - 30) })
  expect(dueOf(died(29))).toEqual([])
  expect(dueOf(died(31))).toEqual(['erase-apps'])
})

it('runs a job that an operator asked for, unless it has begun since', () => {
  expect(dueOf(job('erase-apps', 100, { requestedAt: before(1) }))).toEqual(['erase-apps'])
  expect(dueOf(job('erase-apps', 100, { requestedAt: before(102) }))).toEqual([])
})

it('lets a running job run, and does not believe in a lease or a run that lies far in the future', () => {
  const running = (seconds: number) => ({ outcome: '' as const, startedAt: before(60), expiresAt: before(-seconds) })
  expect(dueOf(job('sweep', 90, running(20)))).toEqual([])
  expect(isHeld(job('sweep', 90, running(20)), now)).toBe(true)
  expect(dueOf(job('sweep', 90, running(7200)))).toEqual(['sweep'])
  expect(dueOf(job('erase-apps', -7200))).toEqual(['erase-apps'])
})

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** How a migration on PostgreSQL waits for locks; `report` gets a sentence before each pause. */
export type LockWaits = {
  report(sentence: string): void
  /** Milliseconds that a statement waits for a lock, and milliseconds between two tries. */
  lock: number
  pause: number
  tries: number
}

/** A wait is shorter than the usual `DATABASE_TIMEOUT_SECONDS` (4), so that requests behind it succeed. All tries take three minutes. */
export const usualWaits: LockWaits = { report: () => undefined, lock: 2000, pause: 5000, tries: 25 }

/**
 * Runs `migrate` in the open transaction of `db`. While a migration waits for a table that another session uses, all later
 * statements on that table wait behind it. So each wait is short, and then the migration is undone, and runs again after
 * a pause in which running processes work. Locks that the transaction already has stay.
 */
export async function betweenLocks<T>(
  db: pg.Client,
  observer: pg.Client,
  migrate: () => Promise<T>,
  waits: LockWaits,
): Promise<T> {
  const { rows } = await db.query('SELECT pg_backend_pid() AS pid')
  await db.query(`SET LOCAL lock_timeout = ${waits.lock}`)
  await db.query('SAVEPOINT unmigrated')
  for (let tries = 1; ; tries++) {
    const watch = watchHolders(observer, rows[0].pid, waits.lock / 3)
    try {
      return await migrate()
    } catch (fault) {
      if (!isLocked(fault)) throw fault
      await db.query('ROLLBACK TO SAVEPOINT unmigrated')
      const reason = `The migration of the database waits for a lock that another session holds: ${watch.holders()}.`
      if (tries >= waits.tries) throw Object.assign(new Error(`${reason} ${advice}`), { code: '55P03' })
      waits.report(`${reason} The next try is in ${waits.pause / 1000} s, number ${tries + 1} of ${waits.tries}.`)
    } finally {
      watch.stop()
    }
    await pause(waits.pause)
  }
}

const advice = 'Wait until that session ends, or end it with pg_terminate_backend(process). Then start Postern again.'

/** lock_not_available and deadlock_detected (PostgreSQL, appendix A). */
const isLocked = (fault: unknown) => /^(55P03|40P01)$/.test(String((fault as { code?: unknown }).code))

/** Looks again and again which sessions a process of PostgreSQL waits for: the error of a lock does not name them. */
function watchHolders(observer: pg.Client, pid: number, interval: number) {
  let last = 'an unknown one'
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    const { rows } = await observer.query(holdersOf, [pid]).catch(() => ({ rows: [] }))
    last = rows[0]?.holders ?? last
    timer?.refresh()
  }
  timer = setTimeout(look, interval)
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return { holders: () => last, stop }
}

const holdersOf = `SELECT string_agg(DISTINCT format('%s (process %s, role %s) on %s', COALESCE(NULLIF(holder.application_name, ''),
    'unnamed'), holder.pid, holder.usename, COALESCE(wanted.relation::regclass::text, wanted.locktype)), ', ') AS holders
  FROM pg_locks wanted CROSS JOIN LATERAL unnest(pg_blocking_pids(wanted.pid)) AS blocking (pid)
  JOIN pg_stat_activity holder ON holder.pid = blocking.pid WHERE wanted.pid = $1 AND NOT wanted.granted`

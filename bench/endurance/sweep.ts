import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { jobStore } from '#lib/db/jobs/job-store'
import { truncateLog } from '../truncate-log.ts'
import { type Installation, kinds, makeInstallation } from './installation.ts'

const perSecond = 50

type Server = Awaited<ReturnType<Installation['start']>>
type Wishes = { rows: number; seconds: number; runs: number }

/**
 * Measures how fast the sweep removes a backlog of expired rows, and the latency of token refreshes beside it, and
 * without it before and after. The rows are those of access tokens that were revoked, one each millisecond.
 */
export async function measureSweep({ rows, seconds, runs }: Wishes, tell: (line: string) => void): Promise<string> {
  const lines = [
    `| ${rows.toLocaleString('en')} expired rows | rows/s | refreshes | p50 ms | p95 ms | p99 ms | p99 ÷ calm |`,
    '| --- | --: | --: | --: | --: | --: | --: |',
  ]
  for (const kind of kinds) {
    const installation = await makeInstallation(kind)
    try {
      const before = await withServer(installation, (server) => refresh(server, (seconds * runs) / 2))
      await expireRows(installation, rows)
      tell(`${kind}: ${rows} rows have expired`)
      const { latencies, rate, after } = await withServer(installation, async (server) => {
        const result = await measureBeside(installation, server, seconds * runs)
        await removeRest(installation)
        return { ...result, after: await refresh(server, (seconds * runs) / 2) }
      })
      const calm = [...before, ...after]
      const at99 = percentile(latencies, 0.99) / percentile(calm, 0.99)
      lines.push(row(`${kind}, calm`, '', calm, ''))
      lines.push(row(`${kind}, sweeping`, Math.round(rate).toLocaleString('en'), latencies, at99.toFixed(2)))
      tell(lines.slice(-2).join('\n'))
    } finally {
      await installation.remove()
    }
  }
  return lines.join('\n')
}

async function withServer<T>(installation: Installation, work: (server: Server) => Promise<T>): Promise<T> {
  const server = await installation.start()
  try {
    // The other jobs have run by then.
    await sleep(15_000)
    return await work(server)
  } finally {
    await server.process.stop()
  }
}

async function measureBeside(installation: Installation, server: Server, seconds: number) {
  const swept = () => server.metric('postern_swept_rows_total')
  const [before, began] = [await swept(), performance.now()]
  if (before === 0) throw new Error('The sweep has not begun.')
  const latencies = await refresh(server, seconds)
  const rate = ((await swept()) - before) / ((performance.now() - began) / 1000)
  // The gauge of the backlog gets its first value a minute after the start.
  if (!(await hasExpired(installation))) throw new Error('The sweep ended early. Use more rows.')
  return { latencies, rate }
}

async function hasExpired({ open }: Installation): Promise<boolean> {
  const { prisma, close } = await open()
  const row = await prisma.revokedToken.findFirst({ where: { expiresAt: { lt: new Date() } } })
  await close()
  return row !== null
}

/** Refreshes at a steady rate, after a warm-up, and returns the latencies. */
async function refresh(server: Server, seconds: number): Promise<number[]> {
  const { values, client } = await server.prepare('refreshTokens', 500)
  const about = { port: server.port, host: server.host, path: server.endpoints.token, client, perSecond }
  const warm = await ask({ ...about, tokens: values, seconds: 2 })
  return (await ask({ ...about, tokens: warm.tokens, seconds })).latencies
}

async function ask(about: object) {
  const child = fork(resolve(import.meta.dirname, '../isolation/refresh-process.ts'))
  child.send(about)
  const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [undefined])])
  child.kill()
  if (!answer || 'fault' in answer) throw new Error(answer?.fault ?? 'The client of the token endpoint ended early.')
  return answer as { latencies: number[]; tokens: string[] }
}

const chunk = 100_000

async function expireRows({ open }: Installation, rows: number): Promise<void> {
  const database = await open()
  const last = Date.now() - 60_000
  for (let from = 0; from < rows; from += chunk) {
    const to = Math.min(from + chunk, rows) - 1
    if (database.kind === 'sqlite')
      database.sqlite.driver.exec(`WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
        INSERT INTO "RevokedToken" SELECT lower(hex(randomblob(16))), ${last - rows} + i FROM n`)
    else
      await database.pool.query(`INSERT INTO "RevokedToken"
        SELECT gen_random_uuid(), to_timestamp(${(last - rows) / 1000} + i / 1000.0) AT TIME ZONE 'UTC'
        FROM generate_series(${from}, ${to}) i`)
  }
  if (database.kind === 'sqlite') await truncateLog(database.sqlite)
  else await database.pool.query('VACUUM ANALYZE "RevokedToken"')
  // The last sweep may be so recent that the next one is not due yet.
  await jobStore(database).request('sweep')
  await database.close()
}

async function removeRest({ open }: Installation): Promise<void> {
  const database = await open()
  if (database.kind === 'sqlite') {
    const { driver, write } = database.sqlite
    const some = driver.prepare(
      'DELETE FROM "RevokedToken" WHERE rowid IN (SELECT rowid FROM "RevokedToken" LIMIT 20000)',
    )
    // In parts, because the server waits two seconds at most for the lock.
    while ((await write(() => some.run())).changes > 0) await sleep(50)
  } else await database.pool.query('TRUNCATE "RevokedToken"')
  await database.close()
  await sleep(5000)
}

const row = (name: string, rate: string, latencies: number[], ratio: string) =>
  `| ${[name, rate, latencies.length, ...[0.5, 0.95, 0.99].map((share) => percentile(latencies, share).toFixed(1)), ratio].join(' | ')} |`

function percentile(list: number[], share: number): number {
  const sorted = list.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}

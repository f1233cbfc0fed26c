import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { freshDatabaseUrl, type PostgresServer, startPostgres } from '#lib/testing/databases/postgres-server'
import { type Line, openLine } from '#lib/testing/relay/line'
import { startMailServer } from '#lib/testing/relay/mail-server'
import { buildShim } from '#lib/testing/shim/shim'
import { inFull } from '../in-full.ts'
import { Provider } from '../wire/provider.ts'
import { Driver } from './driver.ts'
import { writeRow } from './table.ts'

export { expect }

export const people = ['fay', 'gus'].map((username) => ({ username, password: 'correct horse battery' }))

/** An installation whose processes have the faults of lib/testing/shim. Each file switches a fault on while it exists. */
export type Installation = { provider: Provider; full: string; noDns: string; mail: Mail }

/** The mail server of an installation, and the line that leads to it. */
export type Mail = Awaited<ReturnType<typeof openMail>>

async function openMail() {
  const server = await startMailServer()
  const line = await openLine(server.port)
  const close = async () => {
    await line.cut()
    await server.close()
  }
  return { arrived: server.arrived, line, settings: { SMTP_URL: line.through(server.url) }, close }
}

/** Several nodes behind HAProxy on one PostgreSQL, which they reach through a line that can be cut. */
export type Cluster = Installation & { postgres: PostgresServer; line: Line; databaseUrl: string }

/** Settings of every installation with faults: those of production, and a free port for the inspector of each node. */
export const shared = { DRAIN_SECONDS: '5', NODE_OPTIONS: '--inspect-port=0' }

export const test = base.extend<object, { cluster: Cluster; single: Installation }>({
  cluster: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const faults = await buildShim()
      const envOf = (folder: string) => faults({ folder: `${folder}/data`, full: `${folder}/full` })
      const postgres = await startPostgres({ durable: true, envOf })
      const databaseUrl = await freshDatabaseUrl(postgres.url)
      const line = await openLine(Number(new URL(databaseUrl).port))
      const noDns = join(postgres.folder, 'no-dns')
      const mail = await openMail()
      const own = { ...mail.settings, DATABASE_URL: line.through(databaseUrl) }
      const settings = { ...shared, ...faults({ noDns }), ...own }
      const provider = await Provider.start({ nodes: inFull ? 3 : 2, settings })
      await provider.apply({ people })
      await use({ provider, postgres, line, databaseUrl, mail, noDns, full: join(postgres.folder, 'full') })
      await provider.stop()
      await mail.close()
      await line.cut()
      await postgres.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],

  single: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const faults = await buildShim()
      const folder = await mkdtemp(join(tmpdir(), 'postern-faults-'))
      const [full, noDns] = [`${folder}.full`, `${folder}.no-dns`]
      const mail = await openMail()
      const own = { ...mail.settings, DATABASE_URL: `file:${folder}/postern.db` }
      const settings = { ...shared, ...faults({ folder, full, noDns }), ...own }
      const provider = await Provider.start({ settings })
      await provider.apply({ people })
      await use({ provider, full, noDns, mail })
      await provider.stop()
      await mail.close()
      await rm(folder, { recursive: true })
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

/** Faults in which a node stands still, so that it answers late what it had begun. */
const standsStill = /suspended|blocked/

/** Returns how many requests the nodes have answered later than ten seconds after their arrival, since they started. */
async function answeredLate({ nodes }: Provider): Promise<number> {
  const texts = await Promise.all(nodes.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()))
  const sum = (pattern: RegExp) =>
    [...texts.join('\n').matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0)
  const within = sum(/^postern_http_request_duration_seconds_bucket\{le="10",.*\} (\d+)$/gm)
  const all = sum(/^postern_http_request_duration_seconds_count\{.*\} (\d+)$/gm)
  expect(all).toBeGreaterThan(0)
  return all - within
}

/**
 * Runs a fault while people sign in and apps refresh, and expects that nothing is lost or doubled, that every refusal
 * says when to try again, and that no request waits longer than ten seconds. Returns the result of `run`.
 */
export async function expectHarmless<T>(
  fault: string,
  provider: Provider,
  run: (driver: Driver) => Promise<T>,
): Promise<T> {
  const driver = await Driver.start(provider, people)
  const lateBefore = await answeredLate(provider)
  const { result, ...seen } = await driver.during(() => run(driver))
  const { lost, doubled, acknowledged } = await driver.finish()
  const counts = { acknowledged, lost: lost.length, doubled: doubled.length }
  writeRow({ fault, installation: nameOf(provider), ...seen, ...counts, afterNewPrimary: result })
  const { withoutRetryAfter } = driver.seen
  expect({ lost, doubled, withoutRetryAfter }, JSON.stringify(seen)).toEqual({
    lost: [],
    doubled: [],
    withoutRetryAfter: [],
  })
  if (!standsStill.test(fault)) expect(await answeredLate(provider)).toBeLessThanOrEqual(lateBefore)
  return result
}

const nameOf = ({ nodes }: Provider) => (nodes.length > 1 ? `${nodes.length} nodes, PostgreSQL` : '1 node, SQLite')

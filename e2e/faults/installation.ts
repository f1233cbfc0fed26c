import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { freshDatabaseUrl, type PostgresServer, startPostgres } from '#lib/testing/process/postgres-server'
import { type Line, openLine } from '#lib/testing/relay/line'
import { buildShim } from '#lib/testing/shim/shim'
import { inFull } from '../in-full.ts'
import { Provider } from '../wire/provider.ts'
import { Driver } from './driver.ts'
import { writeRow } from './table.ts'

export { expect }

export const people = ['fay', 'gus'].map((username) => ({ username, password: 'correct horse battery' }))

/** An installation whose processes have the faults of lib/testing/shim. Each file switches a fault on while it exists. */
export type Installation = { provider: Provider; full: string; noDns: string }

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
      const settings = { ...shared, ...faults({ noDns }), DATABASE_URL: line.through(databaseUrl) }
      const provider = await Provider.start({ nodes: inFull ? 3 : 2, settings })
      await provider.apply({ people })
      await use({ provider, postgres, line, databaseUrl, noDns, full: join(postgres.folder, 'full') })
      await provider.stop()
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
      const settings = { ...shared, ...faults({ folder, full, noDns }), DATABASE_URL: `file:${folder}/postern.db` }
      const provider = await Provider.start({ settings })
      await provider.apply({ people })
      await use({ provider, full, noDns })
      await provider.stop()
      await rm(folder, { recursive: true })
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

/**
 * Runs a fault while people sign in and apps refresh, and expects that nothing is lost or doubled, and that every
 * refusal says when to try again. Returns the result of `run`.
 */
export async function expectHarmless<T>(
  fault: string,
  provider: Provider,
  run: (driver: Driver) => Promise<T>,
): Promise<T> {
  const driver = await Driver.start(provider, people)
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
  return result
}

const nameOf = ({ nodes }: Provider) => (nodes.length > 1 ? `${nodes.length} nodes, PostgreSQL` : '1 node, SQLite')

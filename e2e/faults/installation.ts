import { test as base, expect } from '@playwright/test'
import { freshDatabaseUrl, type PostgresServer, startPostgres } from '#lib/testing/process/postgres-server'
import { type Line, openLine } from '#lib/testing/relay/line'
import { inFull } from '../in-full.ts'
import { Provider } from '../wire/provider.ts'
import { Driver } from './driver.ts'
import { writeRow } from './table.ts'

export { expect }

const people = ['fay', 'gus'].map((username) => ({ username, password: 'correct horse battery' }))

/** Several nodes behind HAProxy on one PostgreSQL, which they reach through a line that can be cut. */
export type Cluster = { provider: Provider; postgres: PostgresServer; line: Line; databaseUrl: string }

const shared = {
  // An app may repeat an unanswered request after a long fault.
  REFRESH_RETRY_SECONDS: '300',
  DRAIN_SECONDS: '3',
}

export const test = base.extend<object, { cluster: Cluster; single: Provider }>({
  cluster: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const postgres = await startPostgres({ durable: true })
      const databaseUrl = await freshDatabaseUrl(postgres.url)
      const line = await openLine(Number(new URL(databaseUrl).port))
      const settings = { ...shared, DATABASE_URL: line.through(databaseUrl) }
      const provider = await Provider.start({ nodes: inFull ? 3 : 2, settings })
      await provider.apply({ people })
      await use({ provider, postgres, line, databaseUrl })
      await provider.stop()
      await line.cut()
      await postgres.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],

  single: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const provider = await Provider.start({ settings: shared })
      await provider.apply({ people })
      await use(provider)
      await provider.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

/** Runs a fault while people sign in and apps refresh, and expects that nothing is lost or doubled. */
export async function expectHarmless(fault: string, provider: Provider, run: () => Promise<void>): Promise<void> {
  const driver = await Driver.start(provider, people)
  const seen = await driver.during(run)
  const { lost, doubled, acknowledged } = await driver.finish()
  const counts = { acknowledged, lost: lost.length, doubled: doubled.length }
  writeRow({ fault, installation: nameOf(provider), ...seen, ...counts })
  expect({ lost, doubled }, JSON.stringify(seen)).toEqual({ lost: [], doubled: [] })
}

const nameOf = ({ nodes }: Provider) => (nodes.length > 1 ? `${nodes.length} nodes, PostgreSQL` : '1 node, SQLite')

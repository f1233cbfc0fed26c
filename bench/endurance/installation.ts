import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deriveKeys } from '#lib/crypto/derived-keys'
import { openDatabase } from '#lib/db/engine/client'
import { timeoutsOfCommands } from '#lib/db/engine/timeouts'
import { freshDatabaseUrl, startPostgres, type Wishes } from '#lib/testing/databases/postgres-server'
import { freePorts } from '#lib/testing/process/free-ports'
import { applyMigrations } from '#prisma/apply'
import { startFrontDoor } from '../postern.ts'
import { makeStock } from '../postern-stock.ts'
import type { StockKind } from '../server.ts'

export const kinds = ['SQLite', 'PostgreSQL'] as const
export type Kind = (typeof kinds)[number]

/** An installation whose database outlasts its server. PostgreSQL writes every commit to the disk. */
export async function makeInstallation(kind: Kind, wishes: Pick<Wishes, 'sharedBuffers' | 'socket'> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'))
  const postgres = kind === 'PostgreSQL' ? await startPostgres({ durable: true, ...wishes }) : undefined
  const databaseUrl = postgres ? await freshDatabaseUrl(postgres.url) : `file:${folder}/postern.db`
  const settings = { DATABASE_URL: databaseUrl, SECRET_KEY: randomBytes(32).toString('base64url') }
  await applyMigrations(databaseUrl)
  return {
    kind,
    /** The folder with the files of the database. */
    files: postgres ? join(postgres.folder, 'data', 'base') : folder,
    keys: deriveKeys(Buffer.from(settings.SECRET_KEY, 'base64url')),
    open: () => openDatabase(databaseUrl, undefined, timeoutsOfCommands),
    async start() {
      const [metricsPort = 0] = await freePorts(1)
      const server = await startFrontDoor({ ...settings, METRICS_LISTEN: `127.0.0.1:${metricsPort}` })
      const tokenEndpoint = `http://${server.host}${server.endpoints.token}`
      return {
        ...server,
        prepare: (stock: StockKind, count: number) => makeStock(databaseUrl, tokenEndpoint, stock, count),
        /** Returns the sum of a metric over its labels. */
        async metric(name: string): Promise<number> {
          const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
          const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
          return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
        },
      }
    },
    async remove() {
      await postgres?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Installation = Awaited<ReturnType<typeof makeInstallation>>

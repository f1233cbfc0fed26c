import { randomBytes } from 'node:crypto'
import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { createDatabaseFiles, type Database, openDatabase } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { type Timeouts, timeoutsFor } from '#lib/db/engine/timeouts'
import { type AttemptTable, attemptStore } from '#lib/db/limits/attempts'
import { readMasterKeys } from '#lib/keys/master-keys'
import { openResolver, type Resolver } from '#lib/relay/dns/resolver'
import { type Log, makeLog } from '#lib/server/observe/log'
import { type Metrics, makeMetrics } from '#lib/server/observe/metrics'
import type { Config } from '#lib/server/settings/config'
import { using } from '#lib/server/settings/start-up-fault'
import { applyMigrations } from '#prisma/apply'

/** The parts from which the OAuth core, the relay and the handlers are composed. */
export type Parts = {
  config: Config
  log: Log
  metrics: Metrics
  database: Database
  /** Counts the attempts of everything that is throttled. */
  attempts: AttemptTable
  secrets: DerivedKeys
  resolver: Resolver
  now(): Date
  random(bytes: number): Buffer
}

/** The clock, randomness and DNS of the process; tests replace them. */
export type Ambient = { now(): Date; random(bytes: number): Buffer; resolver?: Resolver; timeouts?: Timeouts }
export const ambientOfProcess: Ambient = { now: () => new Date(), random: randomBytes }

/** Reads the master keys, migrates the database and opens it. */
export async function openParts(config: Config, { timeouts, ...ambient }: Ambient): Promise<Parts> {
  const log = makeLog(config.logLevel)
  const metrics = makeMetrics()
  const secrets = readMasterKeys(config)
  const database = await using('DATABASE_URL', () => openMigrated(config, { log, metrics }, timeouts))
  const attempts = attemptStore(statementsOf(database), ambient.now)
  return { config, log, metrics, database, attempts, secrets, resolver: openResolver(), ...ambient }
}

async function openMigrated(config: Config, { log, metrics }: Pick<Parts, 'log' | 'metrics'>, timeouts?: Timeouts) {
  const { databaseUrl, databaseTimeout, databaseConnections } = config
  for (const file of createDatabaseFiles(databaseUrl)) {
    const warning = 'other users of this machine can read this file, and only its owner can change that: chmod 600'
    log.warn({ file }, warning)
  }
  const applied = await applyMigrations(databaseUrl)
  if (applied.length > 0) log.info({ migrations: applied.map((name) => name.replace('_', ' ')) }, 'database migrated')
  const observe = (path: 'prisma' | 'hot', seconds: number) => metrics.database.observe({ path }, seconds)
  return openDatabase(databaseUrl, observe, timeouts ?? timeoutsFor(databaseTimeout * 1000, databaseConnections))
}

import { nameCitiesFrom } from '#lib/account/activity/place'
import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { hmac } from '#lib/crypto/hash'
import { random } from '#lib/crypto/random'
import { createDatabaseFiles, type Database, openDatabase } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { type Timeouts, timeoutsFor } from '#lib/db/engine/timeouts'
import { type AttemptTable, attemptStore } from '#lib/db/limits/attempts'
import { journalFault } from '#lib/db/restore/deletion-journal'
import { readMasterKeys } from '#lib/keys/master-keys'
import { openSigningThread, type SigningThread } from '#lib/keys/signing-thread'
import type { Usage } from '#lib/oauth/usage'
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
  /** Signs the tokens of an exchange or a refresh in another thread during the commit. */
  signingThread: SigningThread
  usage: Usage
  /** The counts of `usage` that are not written yet, by app and name, separated by NUL. */
  counts: Map<string, number>
  resolver: Resolver
  now(): Date
  random(bytes: number): Buffer
}

/** The clock, randomness and DNS of the process; tests replace them. */
export type Ambient = { now(): Date; random(bytes: number): Buffer; resolver?: Resolver; timeouts?: Timeouts }
export const ambientOfProcess: Ambient = { now: () => new Date(), random }

/** Reads the master keys, migrates the database and opens it. */
export async function openParts(config: Config, { timeouts, ...ambient }: Ambient): Promise<Parts> {
  const log = makeLog(config.logLevel)
  reportJournal(config, log)
  const metrics = makeMetrics()
  const secrets = readMasterKeys(config)
  // Only pages, and letters about requests to pages, show places.
  if (config.roles.includes('web')) await using('CITIES_FILE', () => nameCitiesFrom(config.citiesFile))
  const database = await using('DATABASE_URL', () => openMigrated(config, { log, metrics }, timeouts))
  const attempts = attemptStore(statementsOf(database), ambient.now)
  const resolver = openResolver()
  const usage = openUsage(ambient.random(32))
  const signingThread = openSigningThread({
    onEnd: (err) =>
      log.error({ err }, 'the thread that signs tokens ended; the main thread signs until it starts again'),
  })
  return { config, log, metrics, database, attempts, secrets, signingThread, resolver, ...usage, ...ambient }
}

/** Logs at the start that people cannot be erased. In the sandbox of a service, only the service itself can find out. */
export function reportJournal({ deletionJournal }: Pick<Config, 'deletionJournal'>, log: Log): void {
  const fault = journalFault(deletionJournal)
  if (fault) log.error(`${fault.message} ${fault.fix}`)
}

/** The most distinct counts, and the most hashes of values, that a process keeps. */
const most = { counts: 20_000, hashes: 5_000 }

/**
 * Counts in memory what apps do (`Usage`). The key of the hashes never leaves the process, so no value can be tested
 * against them elsewhere.
 */
function openUsage(key: Buffer): Pick<Parts, 'usage' | 'counts'> {
  const counts = new Map<string, number>()
  const lately = new Set<string>()
  return {
    counts,
    usage: {
      count(appId, what) {
        const name = `${appId}\0${what}`
        const before = counts.get(name)
        if (before !== undefined || counts.size < most.counts) counts.set(name, (before ?? 0) + 1)
      },
      isRepeated(value) {
        const hash = hmac(key, value).toString('base64url')
        // Deleted first, so that a value that comes again stays among the latest.
        const isKnown = lately.delete(hash)
        lately.add(hash)
        if (lately.size > most.hashes) lately.delete(lately.values().next().value as string)
        return isKnown
      },
    },
  }
}

async function openMigrated(config: Config, { log, metrics }: Pick<Parts, 'log' | 'metrics'>, timeouts?: Timeouts) {
  const { databaseUrl, databaseTimeout, databaseConnections } = config
  for (const file of createDatabaseFiles(databaseUrl)) {
    const warning = 'other users of this machine can read this file, and only its owner can change that: chmod 600'
    log.warn({ file }, warning)
  }
  const applied = await applyMigrations(databaseUrl, undefined, { report: (sentence) => log.warn(sentence) })
  if (applied.length > 0) log.info({ migrations: applied.map((name) => name.replace('_', ' ')) }, 'database migrated')
  const observe = (path: 'prisma' | 'hot', seconds: number) => metrics.database.observe({ path }, seconds)
  const limits = timeouts ?? timeoutsFor(databaseTimeout * 1000, databaseConnections)
  return openDatabase(databaseUrl, observe, limits, (err) =>
    log.error({ err }, 'the thread for checkpoints of SQLite ended; commits make them until it starts again'),
  )
}

import { randomBytes } from 'node:crypto'
import { applyMigrations } from '../prisma/apply.ts'
import type { SignInStore } from './account/session.ts'
import { composeOAuth } from './compose-oauth.ts'
import { type Config, readConfig } from './config.ts'
import { type Database, makeRoomFor, openDatabase } from './db/client.ts'
import { type ConsentStore, consentStore } from './db/consent-store.ts'
import { pictureStore } from './db/picture-store.ts'
import { signInDelay } from './db/sign-in-delay.ts'
import { signInStore } from './db/sign-in-store.ts'
import { evaluationKey } from './keys/evaluation-key.ts'
import { type DerivedKeys, deriveKeys } from './keys/master-key.ts'
import { type Log, makeLog } from './log.ts'
import { type Metrics, makeMetrics } from './metrics.ts'
import type { OAuthContext } from './oauth/context.ts'
import type { Site } from './oauth/discovery.ts'
import { locales } from './web/locales.ts'

/** Everything a request may need, composed once for the process: the composition root (design §2). */
export type Context = {
  config: Config
  log: Log
  metrics: Metrics
  database: Database
  secrets: DerivedKeys
  oauth: OAuthContext
  /** What the discovery document says of this installation. */
  site: Site
  signIn: SignInStore
  signInDelay: ReturnType<typeof signInDelay>
  consents: ConsentStore
  pictures: ReturnType<typeof pictureStore>
  now(): Date
  random(bytes: number): Buffer
  /** Undefined while the process can serve; otherwise why not. */
  unready(): Promise<string | undefined>
  close(): Promise<void>
}

// Node's copy of this module and the one Next bundles are two; the slot on globalThis makes them one context.
const slot = globalThis as { __posternContext?: Promise<Context> }

/** The process's context, opened by whoever asks first. Never at import time: a build imports every route. */
export function getContext(): Promise<Context> {
  slot.__posternContext ??= openContext(readConfig(process.env))
  return slot.__posternContext
}

type Ambient = { now(): Date; random(bytes: number): Buffer }
const real: Ambient = { now: () => new Date(), random: randomBytes }

/** Migrates and opens everything the settings name; tests set the clock. */
export async function openContext(config: Config, ambient: Ambient = real): Promise<Context> {
  const log = makeLog(config.logLevel)
  const metrics = makeMetrics()
  const secrets = masterKeys(config)
  makeRoomFor(config.databaseUrl)
  const applied = await applyMigrations(config.databaseUrl)
  if (applied.length > 0) log.info({ migrations: applied }, 'database migrated')
  const database = await openDatabase(config.databaseUrl, (path, seconds) =>
    metrics.database.observe({ path }, seconds),
  )
  const base = { config, log, metrics, database, secrets, ...ambient }
  return {
    ...base,
    oauth: await composeOAuth(base),
    site: { ...config, uiLocales: locales },
    signIn: signInStore(database.prisma),
    signInDelay: signInDelay(database.prisma),
    consents: consentStore(database.prisma),
    pictures: pictureStore(database.prisma),
    unready: () =>
      database.ping().then(
        () => undefined,
        () => 'the database does not answer',
      ),
    close: () => database.close(),
  }
}

function masterKeys(config: Config): DerivedKeys {
  const master = config.secretKey ? Buffer.from(config.secretKey, 'base64url') : evaluationKey(config.dataDir)
  return deriveKeys(master, config.previousSecretKey ? Buffer.from(config.previousSecretKey, 'base64url') : undefined)
}

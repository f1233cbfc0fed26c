import { randomBytes } from 'node:crypto'
import type { ActivityStore } from '#lib/account/activity/activity'
import type { ConnectionStore } from '#lib/account/connected-apps/connection'
import type { DeletionStore } from '#lib/account/data/deletion'
import type { PersonalDataStore } from '#lib/account/data/personal-data'
import type { EmailStore } from '#lib/account/email/store'
import type { ProfileStore } from '#lib/account/profile/profile'
import type { SessionsStore } from '#lib/account/sessions/store'
import { type SignInStore, sessionDays } from '#lib/account/signed-in/session'
import type { DerivedKeys } from '#lib/crypto/derived-keys'
import { activityStore } from '#lib/db/account/activity-store'
import { aliasStore } from '#lib/db/account/alias-store'
import { connectionStore } from '#lib/db/account/connection-store'
import { deletionStore } from '#lib/db/account/deletion-store'
import { emailStore } from '#lib/db/account/email-store'
import { hideMyEmailStore } from '#lib/db/account/hide-my-email-store'
import { personalDataStore } from '#lib/db/account/personal-data'
import { pictureStore } from '#lib/db/account/picture-store'
import { profileStore } from '#lib/db/account/profile-store'
import { sessionsStore } from '#lib/db/account/sessions-store'
import { type Database, makeRoomFor, openDatabase } from '#lib/db/engine/client'
import { statementsOf } from '#lib/db/engine/statements'
import { type Timeouts, timeoutsFor } from '#lib/db/engine/timeouts'
import { type AttemptStore, attemptStore } from '#lib/db/limits/attempts'
import { emailLimits } from '#lib/db/limits/email-limits'
import { hashLimits } from '#lib/db/limits/hash-limits'
import { signUpLimit } from '#lib/db/limits/sign-up-limit'
import { type ConsentStore, consentStore } from '#lib/db/oauth/consent-store'
import { factorStore } from '#lib/db/sign-in/factor-store'
import { recoveryStore } from '#lib/db/sign-in/recovery-store'
import { signInStore } from '#lib/db/sign-in/sign-in-store'
import { signUpStore } from '#lib/db/sign-in/sign-up-store'
import { readMasterKeys } from '#lib/keys/master-keys'
import type { Letters } from '#lib/mail/letters'
import type { Mailbox } from '#lib/mail/mailbox'
import type { Post } from '#lib/mail/post'
import type { OAuthContext } from '#lib/oauth/context'
import type { Site } from '#lib/oauth/discovery/discovery'
import { openResolver, type Resolver } from '#lib/relay/dns/resolver'
import type { Relay } from '#lib/relay/relay'
import type { AliasStore, OwnAliasStore, RelayTest } from '#lib/relay/store'
import { type Log, makeLog } from '#lib/server/observe/log'
import { type Metrics, makeMetrics } from '#lib/server/observe/metrics'
import { makeReadiness } from '#lib/server/observe/readiness'
import { type Config, readConfig } from '#lib/server/settings/config'
import { using } from '#lib/server/settings/start-up-fault'
import type { RecoveryStore } from '#lib/sign-in/recovery/store'
import type { FactorStore } from '#lib/sign-in/second-factor/store'
import type { SignUpStore } from '#lib/sign-in/sign-up/newcomer'
import { locales } from '#lib/text/locales'
import { applyMigrations } from '#prisma/apply'
import { openMail } from './mail.ts'
import { composeOAuth } from './oauth.ts'
import { composeRelay, composeTestMail } from './relay.ts'

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
  /** Points of everything that is throttled. */
  attempts: AttemptStore
  signIn: SignInStore
  consents: ConsentStore
  connections: ConnectionStore
  aliases: AliasStore
  hideMyEmail: OwnAliasStore
  /** Sends a message through a relay address, for its owner to see it arrive. */
  sendTestMail: RelayTest
  activity: ActivityStore
  factors: FactorStore
  sessions: SessionsStore
  signUps: SignUpStore
  signUpLimit: ReturnType<typeof signUpLimit>
  hashLimits: ReturnType<typeof hashLimits>
  pictures: ReturnType<typeof pictureStore>
  profiles: ProfileStore
  deletions: DeletionStore
  personalData: PersonalDataStore
  emails: EmailStore
  emailLimits: ReturnType<typeof emailLimits>
  recoveries: RecoveryStore
  post: Post
  letters: Letters
  /** Carries mail for relay addresses; a process without that role sends test messages through it. */
  relay: Relay
  /** Where letters go in an evaluation that names no mail server. */
  mailbox: Mailbox | undefined
  now(): Date
  random(bytes: number): Buffer
  resolver: Resolver
  /** Undefined while the process can serve; otherwise why not. */
  unready(): Promise<string | undefined>
  close(): Promise<void>
}

// Node's copy of this module and the one Next bundles are two; the slot on globalThis makes them one context.
const slot = globalThis as { __posternContext?: Promise<Context> | undefined }

/** The process's context, opened by whoever asks first. Never at import time: a build imports every route. */
export function getContext(): Promise<Context> {
  // A context that could not be opened is not remembered: the next request tries again.
  slot.__posternContext ??= openContext(readConfig(process.env)).catch((fault: unknown) => {
    slot.__posternContext = undefined
    throw fault
  })
  return slot.__posternContext
}

type Ambient = { now(): Date; random(bytes: number): Buffer; resolver?: Resolver; limits?: Timeouts }
const real: Ambient = { now: () => new Date(), random: randomBytes }

/** Migrates and opens everything the settings name; tests set the clock, the DNS and shorter limits. */
export async function openContext(config: Config, ambient: Ambient = real): Promise<Context> {
  const log = makeLog(config.logLevel)
  const metrics = makeMetrics()
  const secrets = readMasterKeys(config)
  const database = await using('DATABASE_URL', async () => {
    for (const file of makeRoomFor(config.databaseUrl))
      log.warn(
        { file },
        'other users of this machine can read this file, and only its owner can change that: chmod 600',
      )
    const applied = await applyMigrations(config.databaseUrl)
    if (applied.length > 0) log.info({ migrations: applied.map((name) => name.replace('_', ' ')) }, 'database migrated')
    const limits = ambient.limits ?? timeoutsFor(config.databaseTimeout * 1000, config.databaseConnections)
    return openDatabase(config.databaseUrl, (path, seconds) => metrics.database.observe({ path }, seconds), limits)
  })
  const attempts = attemptStore(statementsOf(database), ambient.now)
  const base = { config, log, metrics, database, attempts, secrets, resolver: openResolver(), ...ambient }
  const mail = await openMail(base)
  const activity = activityStore(database.prisma)
  const relay = composeRelay({ ...base, activity }, mail.url)
  const oauth = await composeOAuth(base)
  return {
    ...base,
    oauth,
    relay,
    site: { ...config, uiLocales: locales },
    signIn: signInStore(database.prisma, sessionDays.idle),
    consents: consentStore(database.prisma),
    connections: connectionStore(database.prisma),
    aliases: aliasStore(statementsOf(database)),
    activity,
    hideMyEmail: hideMyEmailStore(database.prisma),
    sendTestMail: composeTestMail(relay, config),
    factors: factorStore(database.prisma),
    sessions: sessionsStore(database.prisma, sessionDays.idle),
    signUps: signUpStore(database),
    signUpLimit: signUpLimit(attempts),
    hashLimits: hashLimits(attempts),
    pictures: pictureStore(database.prisma),
    profiles: profileStore(database.prisma),
    deletions: deletionStore(database.prisma),
    personalData: personalDataStore(database.prisma),
    emails: emailStore(database.prisma),
    emailLimits: emailLimits(attempts),
    recoveries: recoveryStore(database.prisma, sessionDays.idle),
    mailbox: mail.mailbox,
    post: mail.post,
    letters: mail.letters,
    unready: makeReadiness(database, oauth.keys),
    async close() {
      await Promise.all([relay.nextHop.close(), mail.close()])
      await database.close()
    },
  }
}

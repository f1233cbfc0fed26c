import { randomBytes } from 'node:crypto'
import { applyMigrations } from '../prisma/apply.ts'
import type { ActivityStore } from './account/activity.ts'
import type { DeletionStore } from './account/deletion.ts'
import type { EmailStore } from './account/email-binding.ts'
import type { FactorStore } from './account/factors.ts'
import type { PersonalDataStore } from './account/personal-data.ts'
import type { ProfileStore } from './account/profile.ts'
import type { RecoveryStore } from './account/recovery.ts'
import { type SignInStore, sessionDays } from './account/session.ts'
import type { SessionsStore } from './account/sessions.ts'
import type { SignUpStore } from './account/sign-up.ts'
import { composeOAuth } from './compose-oauth.ts'
import { composeRelay, composeTestMail } from './compose-relay.ts'
import { type Config, readConfig } from './config.ts'
import { activityStore } from './db/activity-store.ts'
import { aliasStore } from './db/alias-store.ts'
import { type AttemptStore, attemptStore } from './db/attempts.ts'
import { type Database, makeRoomFor, openDatabase } from './db/client.ts'
import { connectionStore } from './db/connection-store.ts'
import { type ConsentStore, consentStore } from './db/consent-store.ts'
import { deletionStore } from './db/deletion-store.ts'
import { emailLimits } from './db/email-limits.ts'
import { emailStore } from './db/email-store.ts'
import { factorStore } from './db/factor-store.ts'
import { hashLimits } from './db/hash-limits.ts'
import { hideMyEmailStore } from './db/hide-my-email-store.ts'
import { type DatabaseLimits, limitsFor } from './db/limits.ts'
import { personalDataStore } from './db/personal-data.ts'
import { pictureStore } from './db/picture-store.ts'
import { profileStore } from './db/profile-store.ts'
import { recoveryStore } from './db/recovery-store.ts'
import { sessionsStore } from './db/sessions-store.ts'
import { signInStore } from './db/sign-in-store.ts'
import { signUpLimit } from './db/sign-up-limit.ts'
import { signUpStore } from './db/sign-up-store.ts'
import { statementsOf } from './db/statements.ts'
import { openResolver, type Resolver } from './dns.ts'
import type { DerivedKeys } from './keys/master-key.ts'
import { readMasterKeys } from './keys/read-master-keys.ts'
import { type Log, makeLog } from './log.ts'
import { type Letters, makeLetters } from './mail/letters.ts'
import { type Mailbox, openMailbox } from './mail/mailbox.ts'
import { openPost, type Post } from './mail/post.ts'
import { type Metrics, makeMetrics } from './metrics.ts'
import type { ConnectionStore } from './oauth/authorize/connection.ts'
import type { OAuthContext } from './oauth/context.ts'
import type { Site } from './oauth/discovery.ts'
import { makeReadiness } from './readiness.ts'
import type { Relay } from './relay/relay.ts'
import type { AliasStore, OwnAliasStore, RelayTest } from './relay/store.ts'
import { smtpWarning } from './smtp-url.ts'
import { using } from './start-up-fault.ts'
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

type Ambient = { now(): Date; random(bytes: number): Buffer; resolver?: Resolver; limits?: DatabaseLimits }
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
    const limits = ambient.limits ?? limitsFor(config.databaseTimeout * 1000, config.databaseConnections)
    return openDatabase(config.databaseUrl, (path, seconds) => metrics.database.observe({ path }, seconds), limits)
  })
  const attempts = attemptStore(statementsOf(database), ambient.now)
  const base = { config, log, metrics, database, attempts, secrets, resolver: openResolver(), ...ambient }
  const mail = await openMail(config, { log, metrics, now: ambient.now })
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

/** Letters leave through the server the settings name; an evaluation without one keeps them to itself (design §7). */
async function openMail(config: Config, { log, metrics, now }: { log: Log; metrics: Metrics; now(): Date }) {
  const mailbox = config.evaluation && !config.smtpUrl ? await openMailbox(now) : undefined
  const url = config.smtpUrl ?? mailbox?.url
  const warning = config.smtpUrl && smtpWarning(config.smtpUrl)
  if (warning) log.warn(`SMTP_URL ${warning}`)
  const post = openPost(url, config.mailFrom)
  const letters = makeLetters({ post, config, log, metrics })
  const close = async () => {
    await letters.settled()
    post.close()
    await mailbox?.close()
  }
  return { url, mailbox, post, letters, close }
}

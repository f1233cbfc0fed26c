import type { ActivityStore } from '#lib/account/activity/activity'
import type { AliasStore, RelayTest } from '#lib/account/hide-my-email/store'
import { type SignInStore, sessionDays } from '#lib/account/signed-in/session'
import { activityStore } from '#lib/db/account/activity-store'
import { type Limits, openLimits } from '#lib/db/limits/limits'
import { consentStore } from '#lib/db/oauth/consent-store'
import { factorStore } from '#lib/db/sign-in/factor-store'
import { recoveryStore } from '#lib/db/sign-in/recovery-store'
import { signInStore } from '#lib/db/sign-in/sign-in-store'
import { signUpStore } from '#lib/db/sign-in/sign-up-store'
import type { Outbound } from '#lib/http/outbound'
import type { Letters } from '#lib/mail/letters'
import type { Mailbox, Post } from '#lib/mail/post'
import type { ConsentStore } from '#lib/oauth/consent/store'
import type { OAuthContext } from '#lib/oauth/context'
import type { DiscoverySettings } from '#lib/oauth/discovery/discovery'
import type { Relay } from '#lib/relay/relay'
import { makeReadiness } from '#lib/server/observe/readiness'
import { type Config, readConfig } from '#lib/server/settings/config'
import type { RecoveryStore } from '#lib/sign-in/recovery/store'
import type { FactorStore } from '#lib/sign-in/second-factor/store'
import type { SignUpStore } from '#lib/sign-in/sign-up/newcomer'
import { locales } from '#lib/text/messages'
import { type AccountStores, composeAccount } from './account.ts'
import { type AdminParts, composeAdmin } from './admin.ts'
import { type ConsoleStores, composeConsole } from './console.ts'
import { composeDeliveries, composeOutbound, type Deliveries } from './deliveries.ts'
import { composeFailures } from './failures.ts'
import { openMail } from './mail.ts'
import { composeOAuth } from './oauth.ts'
import { type Ambient, ambientOfProcess, openParts, type Parts } from './parts.ts'
import { composePasswords, type PasswordParts } from './passwords.ts'
import { composeAliases, composeRelay, composeTestMail } from './relay.ts'
import { composeUsage, type UsageWriter } from './usage.ts'

/** All parts of the process, composed once (the composition root, design §2). */
export type Context = Parts &
  Omit<Limits, 'clients' | 'pushes' | 'approvals'> &
  ConsoleStores &
  AdminParts &
  PasswordParts &
  AccountStores & {
    oauth: OAuthContext
    /** Sends requests to addresses that apps register. */
    outbound: Outbound
    deliveries: Deliveries
    usageWriter: UsageWriter
    /** The settings that the discovery document contains. */
    discovery: DiscoverySettings
    signIn: SignInStore
    consents: ConsentStore
    aliases: AliasStore
    /** Sends a test message through a relay address to its owner. */
    sendTestMail: RelayTest
    activity: ActivityStore
    factors: FactorStore
    signUps: SignUpStore
    recoveries: RecoveryStore
    post: Post
    letters: Letters
    /** The relay. A process without the relay role uses it only for test messages. */
    relay: Relay
    /** The mailbox that keeps the letters of an evaluation without a mail server. */
    mailbox: Mailbox | undefined
    /** Returns why the process cannot serve; undefined while it can. */
    unready(): Promise<string | undefined>
    close(): Promise<void>
  }

/** Opens all parts that the environment describes. */
export const openFromEnvironment = (): Promise<Context> => openContext(readConfig(process.env))

/** Opens all parts that the settings describe; tests pass a clock, a DNS resolver and shorter timeouts. */
export async function openContext(config: Config, ambient: Ambient = ambientOfProcess): Promise<Context> {
  const parts = await openParts(config, ambient)
  const { database, attempts } = parts
  const { prisma } = database
  const limits = openLimits(attempts)
  const mail = await openMail(parts)
  const activity = activityStore(database)
  const record = composeFailures(parts)
  const relay = composeRelay({ ...parts, activity, record }, mail.url)
  const outbound = composeOutbound(parts)
  const oauth = await composeOAuth(parts, limits, outbound, record)
  const deliveries = composeDeliveries(parts, oauth, outbound, record)
  const usageWriter = composeUsage(parts)
  const passwords = composePasswords(parts, outbound)
  return {
    ...parts,
    ...limits,
    ...composeConsole(parts),
    ...composeAdmin(parts, deliveries.nudge),
    ...composeAccount(parts, deliveries.nudge),
    ...passwords.parts,
    oauth,
    outbound,
    deliveries,
    usageWriter,
    relay,
    discovery: { ...config, uiLocales: locales },
    signIn: signInStore(database, sessionDays.idle, deliveries.nudge),
    consents: consentStore(prisma, deliveries.nudge),
    aliases: composeAliases(parts),
    activity,
    sendTestMail: composeTestMail(relay, config),
    factors: factorStore(database),
    signUps: signUpStore(database),
    recoveries: recoveryStore(prisma, sessionDays.idle, deliveries.nudge),
    mailbox: mail.mailbox,
    post: mail.post,
    letters: mail.letters,
    unready: makeReadiness(database, oauth.keys),
    async close() {
      await Promise.all([
        relay.nextHop.close(),
        mail.close(),
        deliveries.close(),
        usageWriter.close(),
        passwords.close(),
        parts.signingThread.close(),
      ])
      await database.close()
    },
  }
}

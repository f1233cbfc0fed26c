import { randomUUID } from 'node:crypto'
import { recheckTeamDomains } from '#lib/console/domain/check-domain'
import { makeAppStore } from '#lib/db/apps/app-store'
import { leaseStore } from '#lib/db/jobs/lease-store'
import { sweeps } from '#lib/db/jobs/sweep-store'
import { keyStore } from '#lib/db/keys/key-store'
import { sealedRows } from '#lib/db/keys/sealed-rows'
import { mailDomainStore } from '#lib/db/relay/mail-domain-store'
import { mailKeyStore } from '#lib/db/relay/mail-key-store'
import { resealAll } from '#lib/keys/reseal'
import { rotateSigningKeys } from '#lib/keys/rotate-signing-keys'
import { tendMailKeys } from '#lib/relay/dkim/rotate-mail-keys'
import { recheckMailDomains } from '#lib/relay/sender-domains/mail-domain'
import type { Context } from '#lib/server/compose/context'
import { upgradeStoredTotp } from '#lib/sign-in/authenticator/totp-seal'
import { eraseApps } from './erase-apps.ts'
import { erasePeople } from './erase-people.ts'
import { giveUpDeliveries } from './give-up-deliveries.ts'
import { resetFactors } from './reset-factors.ts'
import { settleTransfers } from './settle-transfers.ts'
import { sweep } from './sweep.ts'

/** Starts the background jobs on timers, each in one process at a time; returns a function that stops them. */
export function startJobs(context: Context): () => void {
  const { config, database, metrics, log, now, resolver, secrets } = context
  const leases = leaseStore(database.prisma)
  const holder = randomUUID()
  const tables = sweeps(database)
  const every = (seconds: number, name: string, run: () => Promise<unknown>) => {
    let isRunning = false
    const turn = async () => {
      // A slow run must end before the next run begins.
      if (isRunning) return
      isRunning = true
      try {
        const time = now()
        // The lease lasts two and a half periods: its holder renews it every period, and another process takes over
        // after the holder ends.
        if (await leases.take(name, holder, time, new Date(time.getTime() + seconds * 2500))) await run()
      } catch (err) {
        log.error({ err, job: name }, 'a job failed')
      } finally {
        isRunning = false
      }
    }
    return setInterval(() => void turn(), seconds * 1000)
  }
  const timers = [
    every(60, 'sweep', () => sweep(tables, now(), (table, count) => metrics.swept.inc({ table }, count))),
    every(60, 'give-up-deliveries', () => giveUpDeliveries(context)),
    every(60, 'reset-factors', () => resetFactors(context)),
    every(60, 'erase-people', () => erasePeople(context.deletions, now())),
    every(10, 'settle-transfers', () => settleTransfers(context.settling, now())),
    every(3600, 'erase-apps', () => eraseApps(makeAppStore(database.prisma), now())),
    every(3600, 'rotate-keys', () => rotateSigningKeys({ store: keyStore(database.prisma), secrets, now })),
    every(3600, 'mail-keys', () =>
      tendMailKeys(
        { store: mailKeyStore(database.prisma), secrets, now },
        { domain: config.relayDomain, resolver, evaluation: config.evaluation },
      ),
    ),
    every(3600, 'reseal', () => resealAll(secrets, sealedRows(database.prisma), upgradesOf({ secrets, now }))),
    every(3600, 'mail-domains', () =>
      recheckMailDomains({ store: mailDomainStore(database.prisma), resolver, now: now() }),
    ),
    every(3600, 'team-domains', () =>
      recheckTeamDomains({
        store: context.teamDomains,
        findTexts: context.findTexts,
        letter: context.letters.teamDomain,
        now: now(),
        random: context.random,
      }),
    ),
  ]
  // Needs no lease, because each delivery is claimed. Finds what commands and other processes queued, and retries.
  timers.push(setInterval(() => context.deliveries.nudge(), 1000))
  return () => timers.forEach(clearInterval)
}

/** Returns the upgrades for sealed values whose form changed in a release. */
export const upgradesOf = (sealer: Pick<Context, 'secrets' | 'now'>) => ({
  'totp-of-person': (personId: string, sealed: string) => upgradeStoredTotp(sealer, personId, sealed),
})

import { hostname } from 'node:os'
import { recheckTeamDomains } from '#lib/console/domain/check-domain'
import { makeAppStore } from '#lib/db/apps/app-store'
import { jobStore } from '#lib/db/jobs/job-store'
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
import { type Jobs, runJobs } from './run-jobs.ts'
import { settleTransfers } from './settle-transfers.ts'
import { makeSweep } from './sweep.ts'

/**
 * Starts the background jobs, each in one process at a time; returns a function that stops them and gives their leases
 * back.
 */
export function startJobs(context: Context): () => Promise<void> {
  const { database, log, metrics, now } = context
  const holder = `${hostname()}:${process.pid}:${context.random(4).toString('hex')}`
  const stop = runJobs(jobsOf(context), { store: jobStore(database), holder, log, metrics, now })
  // Needs no lease, because each delivery is claimed. Finds what commands and other processes queued, and retries.
  const timer = setInterval(() => context.deliveries.nudge(), 1000)
  return async () => {
    clearInterval(timer)
    await stop()
  }
}

/** Returns every background job by name. */
export function jobsOf(context: Context): Jobs {
  const { database, secrets } = context
  return {
    sweep: makeSweep(database, context.metrics),
    'give-up-deliveries': ({ goOn }) => giveUpDeliveries(context, goOn),
    'reset-factors': ({ now, goOn }) => resetFactors({ ...context, now }, goOn),
    'erase-people': ({ now, goOn }) => erasePeople(context.deletions, now(), goOn),
    'settle-transfers': ({ now, goOn }) => settleTransfers(context.settling, now(), goOn),
    'erase-apps': ({ now, goOn }) => eraseApps(makeAppStore(database.prisma), now(), goOn),
    'rotate-keys': async ({ now }) =>
      (await rotateSigningKeys({ store: keyStore(database.prisma), secrets, now })) === 'rotated' ? 1 : 0,
    reseal: ({ now, goOn }) =>
      resealAll(secrets, sealedRows(database.prisma), { upgrades: upgradesOf({ secrets, now }), goOn }),
    ...dnsJobs(context),
  }
}

/** Returns the jobs that look something up in DNS. */
function dnsJobs(context: Context): Pick<Jobs, 'mail-keys' | 'mail-domains' | 'team-domains'> {
  const { config, database, resolver, secrets } = context
  return {
    'mail-keys': ({ now }) =>
      tendMailKeys(
        { store: mailKeyStore(database.prisma), secrets, now },
        { domain: config.relayDomain, resolver, evaluation: config.evaluation },
      ),
    'mail-domains': ({ now, goOn }) =>
      recheckMailDomains({ store: mailDomainStore(database.prisma), resolver, now: now() }, goOn),
    'team-domains': ({ now, goOn }) => {
      const { teamDomains: store, findTexts, letters, random } = context
      return recheckTeamDomains({ store, findTexts, letter: letters.teamDomain, now: now(), random }, goOn)
    },
  }
}

/** Returns the upgrades for sealed values whose form changed in a release. */
export const upgradesOf = (sealer: Pick<Context, 'secrets' | 'now'>) => ({
  'totp-of-person': (personId: string, sealed: string) => upgradeStoredTotp(sealer, personId, sealed),
})
